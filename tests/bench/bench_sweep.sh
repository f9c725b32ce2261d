#!/usr/bin/env bash
# A sweep of 12 trials, each on a throwaway server: two jobs against one.
# shellcheck disable=SC2317,SC2154 # functions are called by name; in_turn sets ratio
set -euo pipefail
# shellcheck source=tests/support/bench.sh
. "$(dirname "$0")/../support/bench.sh"
cd "$(dirname "$0")/../.."
runs=${BENCH_RUNS:-5}
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT

# Three designs at four points, rows as in table-13-1-quick.
python3 - scenarios/table-13-1-quick.json >"$work/sweep.json" <<'PYTHON'
import json, sys

scenario = json.load(open(sys.argv[1]))
for view in ("tables", "charts", "references", "bounds"):
    scenario.pop(view, None)
scenario["name"] = "sweep"
scenario["settings"] = {"wal_compression": ["off", "on"]}
for phase in scenario["phases"]:
    phase["checkpoint"] = ["each_batch", "none"]
json.dump(scenario, sys.stdout)
PYTHON
trials=$(build/keybench run "$work/sweep.json" --dry-run 2>&1 | grep -c 'rows, about .* of WAL$')
((trials == 12)) || { echo "bench: $trials trials, not 12" >&2; exit 1; }

with_jobs() { # JOBS
    build/keybench run "$work/sweep.json" --jobs "$1" -o "$work" --charts none --quiet
}
jobs_2() { with_jobs 2; }
jobs_1() { with_jobs 1; }
in_turn "$runs" jobs_2 jobs_1
mark 'a sweep of 12 trials, --jobs 2 / --jobs 1, wall time' "$ratio" at-most 0.60
exit "$bench_missed"
