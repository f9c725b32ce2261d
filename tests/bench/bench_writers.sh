#!/usr/bin/env bash
# Writers on one server of ours: their throughput against pgbench's with the same statement, clients and protocol; what
# sampling of waits and the histogram of latencies cost; and the client's peak memory with 16 writers. Rates are those of
# the measured part alone, pgbench's without connecting.
# shellcheck disable=SC2317 # functions are called by name
set -euo pipefail
# shellcheck source=tests/support/bench.sh
. "$(dirname "$0")/../support/bench.sh"
cd "$(dirname "$0")/../.."
runs=${BENCH_RUNS:-9}
inserts=${BENCH_INSERTS:-20000} # a connection
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
    "$pgbench" -h "$folder" -U postgres -n -M prepared -c "$1" -j "$1" -t "$inserts" -f "$work/single.sql" postgres 2>/dev/null |
        sed -n 's/^tps = \([0-9.]*\).*/\1/p'
}

# rates_in_turn A B: the commands A and B print rates; sets $ratio, the median of A/B pair by pair, and $median_a
rates_in_turn() {
    local i a b
    local -a as=() bs=() ratios=()
    $1 >/dev/null
    $2 >/dev/null
    for ((i = 0; i < runs; i++)); do
        a=$($1) b=$($2)
        as+=("$a") bs+=("$b")
        ratios+=("$(awk -v a="$a" -v b="$b" 'BEGIN { print a / b }')")
    done
    ratio=$(printf '%s\n' "${ratios[@]}" | median)
    median_a=$(printf '%s\n' "${as[@]}" | median)
    printf '    medians: %.0f and %.0f a second\n' "$median_a" "$(printf '%s\n' "${bs[@]}" | median)"
}

# ---- Against pgbench ----

for connections in 1 4 16; do
    scenario "plain-$connections" "$connections" $((inserts * connections)) 0
    rates_in_turn "by_keybench plain-$connections" "by_pgbench $connections"
    mark "writers / pgbench, $connections connections, transactions a second" "$ratio" at-least 1.0
    ((connections > 1)) || single_per_s=$median_a
done

# ---- What looking costs ----

scenario looked-4 4 $((inserts * 4)) 100
rates_in_turn 'by_keybench looked-4' 'by_keybench plain-4'
mark 'writers looked at 100 times a second / not at all, transactions a second' "$ratio" at-least 0.98
record_ns=$(build/tests/bench/bench_hist)
echo "    timing one transaction: $record_ns ns"
mark 'timing / a transaction of one writer, percent' \
    "$(awk -v ns="$record_ns" -v rate="$single_per_s" 'BEGIN { print ns * rate / 1e9 * 100 }')" at-most 2

# ---- Memory ----

scenario memory 16 320000 100
peak_mb() { # of the program alone, from the kernel's account of it
    python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)' \
        build/keybench run "$work/memory.json" -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet
}
mark 'client peak memory with 16 writers, MB' "$(peak_mb)" at-most 32
exit "$bench_missed"
