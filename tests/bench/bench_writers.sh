#!/usr/bin/env bash
# Writers on one server of ours: their throughput against pgbench's with the same statement, clients and protocol; what
# sampling of waits and the histogram of latencies cost; and the client's peak memory with 16 writers. Rates are those of
# the measured part alone, pgbench's without connecting.
# shellcheck disable=SC2317 # functions are called by name
set -euo pipefail
# shellcheck source=tests/support/bench.sh
. "$(dirname "$0")/../support/bench.sh"
cd "$(dirname "$0")/../.."
pairs=${BENCH_RUNS:-25}
inserts=${BENCH_INSERTS:-48000} # of all connections together
work=$(mktemp -d)
chmod 755 "$work"
trap 'build/keybench cluster stop "$folder" >/dev/null 2>&1; rm -rf "$work"' EXIT

pgbench=$(command -v pgbench || find /usr/lib/postgresql/*/bin -name pgbench | sort -V | tail -n 1)
[[ -n $pgbench ]] || { echo 'bench: no pgbench' >&2; exit 1; }
make --no-print-directory build/tests/bench/bench_hist >/dev/null
folder=$(build/keybench cluster start | sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' | head -n 1)
psql=(psql -X -q -h "$folder" -U postgres -d postgres -v ON_ERROR_STOP=1)
"${psql[@]}" -c 'CREATE EXTENSION IF NOT EXISTS pgstattuple'

# scenario NAME WRITERS ROWS SAMPLES-PER-SECOND: an identity key, single rows
scenario() {
    printf '{"format": "keybench-scenario/1", "name": "%s", "seed": 13,
 "designs": [{"name": "bench", "primary_key": "id", "columns": [{"name": "id", "source": "identity", "type": "bigint"},
  {"name": "n", "source": "row_number", "type": "integer"}]}],
 "phases": [{"name": "load", "writers": %s, "rows": %s, "sample_waits_per_s": %s, "load": {"method": "insert"}}]}\n' \
        "$@" >"$work/$1.json"
}

# by_keybench SCENARIO: transactions a second
by_keybench() {
    build/keybench run "$work/$1.json" -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet --json >"$work/out"
    python3 -c 'import json, sys; print(json.load(sys.stdin)["designs"][0]["phases"][0]["transactions_per_s"])' <"$work/out"
}

echo '\set n random(1, 1000000)
INSERT INTO public.bench (n) VALUES (:n);' >"$work/single.sql"

# by_pgbench CONNECTIONS: transactions a second
by_pgbench() {
    "${psql[@]}" >/dev/null 2>&1 <<'SQL'
DROP TABLE IF EXISTS public.bench;
CREATE TABLE public.bench (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n integer)
    WITH (autovacuum_enabled = off, toast.autovacuum_enabled = off);
CHECKPOINT;
SQL
    "$pgbench" -h "$folder" -U postgres -n -M prepared -c "$1" -j "$1" -t $((inserts / $1)) -f "$work/single.sql" postgres 2>/dev/null |
        sed -n 's/^tps = \([0-9.]*\).*/\1/p'
}

# rates_in_turn A B: the commands A and B print rates; writes the ratios A/B pair by pair to $work/ratios and sets $median_a.
# Every other pair begins with B, so that a machine that grows slower or faster favours neither.
rates_in_turn() {
    local i a b
    local -a as=() bs=()
    $1 >/dev/null
    $2 >/dev/null
    for ((i = 0; i < pairs; i++)); do
        if ((i % 2)); then b=$($2) a=$($1); else a=$($1) b=$($2); fi
        as+=("$a") bs+=("$b")
        awk -v a="$a" -v b="$b" 'BEGIN { print a / b }'
    done >"$work/ratios"
    median_a=$(printf '%s\n' "${as[@]}" | median)
    printf '    medians: %.0f and %.0f a second\n' "$median_a" "$(printf '%s\n' "${bs[@]}" | median)"
}

# mark_ratios LABEL BOUND: the median of $work/ratios is at least BOUND, or so close below that twice its standard error
# reaches it: on a machine with neighbours one ratio is worth little.
mark_ratios() {
    local ratio error
    ratio=$(median <"$work/ratios")
    error=$(middle_half <"$work/ratios" | awk -v n="$(wc -l <"$work/ratios")" '{ print 2 * 1.25 * ($2 - $1) / 1.35 / sqrt(n) }')
    printf '    median of %d ratios %.3f, +- %.3f\n' "$(wc -l <"$work/ratios")" "$ratio" "$error"
    mark "$1" "$(awk -v ratio="$ratio" -v error="$error" 'BEGIN { print ratio + error }')" at-least "$2"
}

# ---- Against pgbench ----

for connections in 1 4 16; do
    scenario "plain-$connections" "$connections" "$inserts" 0
    rates_in_turn "by_keybench plain-$connections" "by_pgbench $connections"
    mark_ratios "writers / pgbench with its error, $connections connections, transactions a second" 1.0
    ((connections > 1)) || single_per_s=$median_a
done

# ---- What looking costs ----

# One table's phases by 4 writers, looked at 50 times a second and not at all in turn: what else the machine does changes
# little from one to the next.
cat >"$work/phases.py" <<'PYTHON'
import json

phases = []
for i in range(32):
    for rate in (0, 50) if i % 2 else (50, 0):
        phases.append({"name": f"{i}-{rate}", "writers": 4, "rows": 20000, "sample_waits_per_s": rate,
                       "checkpoint": "none", "load": {"method": "insert"}})
columns = [{"name": "id", "source": "identity", "type": "bigint"},
           {"name": "n", "source": "row_number", "type": "integer"}]
print(json.dumps({"format": "keybench-scenario/1", "name": "looked", "seed": 13, "phases": phases,
                  "designs": [{"name": "bench", "primary_key": "id", "columns": columns}]}))
PYTHON
python3 "$work/phases.py" >"$work/looked.json"

looked_ratios() { # of one run: looked at / not, phase by phase
    build/keybench run "$work/looked.json" -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet --json |
        python3 -c '
import json, sys
rate = {p["name"]: p["transactions_per_s"] for p in json.load(sys.stdin)["designs"][0]["phases"]}
for i in range(len(rate) // 2):
    print(rate[f"{i}-50"] / rate[f"{i}-0"])'
}
for ((i = 0; i < (pairs + 2) / 3; i++)); do
    looked_ratios
done >"$work/ratios"
mark_ratios 'looked at 50 times a second / not at all with its error, transactions a second' 0.98
record_ns=$(build/tests/bench/bench_hist)
echo "    timing one transaction: $record_ns ns"
mark 'timing / a transaction of one writer, percent' \
    "$(awk -v ns="$record_ns" -v rate="$single_per_s" 'BEGIN { print ns * rate / 1e9 * 100 }')" at-most 2

# ---- Memory ----

scenario memory 16 320000 50
peak_mb() { # of the program alone, from the kernel's account of it
    python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)' \
        build/keybench run "$work/memory.json" -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet
}
mark 'client peak memory with 16 writers, MB' "$(peak_mb)" at-most 32
exit "$bench_missed"
