#!/usr/bin/env bash
# Loading on one server of ours: binary COPY with minting against psql's \copy of a ready file, prepared inserts against
# pgbench, and the client's peak memory at 10,000,000 rows. Tables have no index, so that the client is what differs.
# Rates are those of the measured part alone: between the start of all writers and the last commit, pgbench's without
# connecting.
# shellcheck disable=SC2317 # functions are called by name
set -euo pipefail
# shellcheck source=tests/support/bench.sh
. "$(dirname "$0")/../support/bench.sh"
cd "$(dirname "$0")/../.."
runs=${BENCH_RUNS:-9}
rows=${BENCH_COPY_ROWS:-2000000}
inserts=${BENCH_INSERTS:-20000} # a connection
work=$(mktemp -d)
chmod 755 "$work"
trap 'build/keybench cluster stop "$folder" >/dev/null 2>&1; rm -rf "$work"' EXIT

pgbench=$(command -v pgbench || find /usr/lib/postgresql/*/bin -name pgbench | sort -V | tail -n 1)
[[ -n $pgbench ]] || { echo 'bench: no pgbench' >&2; exit 1; }
folder=$(build/keybench cluster start | sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' | head -n 1)
psql=(psql -X -q -h "$folder" -U postgres -d postgres -v ON_ERROR_STOP=1)

# scenario NAME COLUMNS ROWS PHASE-KEYS: a table without index, one batch
scenario() {
    printf '{"format": "keybench-scenario/1", "name": "%s", "seed": 13,
 "designs": [{"name": "bench", "primary_key": null, "columns": [%s, {"name": "n", "source": "row_number", "type": "integer"}]}],
 "phases": [{"name": "load", "rows": %s, %s}]}\n' "$@" >"$work/$1.json"
}

# by_keybench SCENARIO: rows a second; nothing else starts while it runs
by_keybench() {
    build/keybench run "$work/$1.json" -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet --json >"$work/out"
    python3 -c 'import json, sys; p = json.load(sys.stdin)["designs"][0]["phases"][0]; print(p["rows"] * 1000 / p["elapsed_ms"])' <"$work/out"
}

# rates_in_turn A B: the commands A and B print rates; sets $ratio, the median of A/B pair by pair
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
    printf '    medians: %.0f and %.0f a second\n' "$(printf '%s\n' "${as[@]}" | median)" "$(printf '%s\n' "${bs[@]}" | median)"
}

# ---- Binary COPY ----

scenario copy '{"name": "id", "source": "keybench", "format": "uuidv7"}' "$rows" '"load": {"method": "copy"}'
"${psql[@]}" -c "COPY (SELECT uuidv7(), g::integer FROM generate_series(1, $rows) AS g) TO STDOUT (FORMAT binary)" >"$work/rows"
by_psql_copy() {
    "${psql[@]}" <<SQL | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | awk -v rows="$rows" 'NR == 1 { print rows * 1000 / $1 }'
SET client_min_messages = warning;
DROP TABLE IF EXISTS public.bench;
CREATE TABLE public.bench (id uuid, n integer) WITH (autovacuum_enabled = off, toast.autovacuum_enabled = off);
CHECKPOINT;
\timing on
\copy public.bench FROM '$work/rows' (FORMAT binary)
SQL
}
rates_in_turn 'by_keybench copy' by_psql_copy
mark "binary COPY minted here / psql's \\copy of a ready file, rows a second" "$ratio" at-least 0.97
rm "$work/rows"

# ---- Prepared inserts ----

cat >"$work/single.sql" <<'SQL'
\set id random(1, 9223372036854775807)
\set n random(1, 1000000)
INSERT INTO public.bench (id, n) VALUES (:id, :n);
SQL
{
    printf '%s\n' '\startpipeline'
    for ((i = 0; i < 10; i++)); do cat "$work/single.sql"; done
    printf '%s\n' '\endpipeline'
} >"$work/pipeline.sql"

# by_pgbench SCRIPT CONNECTIONS: transactions a second
by_pgbench() {
    "${psql[@]}" >/dev/null 2>&1 <<'SQL'
DROP TABLE IF EXISTS public.bench;
CREATE TABLE public.bench (id bigint, n integer) WITH (autovacuum_enabled = off, toast.autovacuum_enabled = off);
CHECKPOINT;
SQL
    "$pgbench" -h "$folder" -U postgres -n -M prepared -c "$2" -j "$2" -t "$3" -f "$work/$1.sql" postgres 2>/dev/null |
        sed -n 's/^tps = \([0-9.]*\).*/\1/p'
}

id='{"name": "id", "source": "keybench", "format": "snowflake", "ids_per_ms": 1000}'
for connections in 1 4; do
    total=$((inserts * connections))
    scenario "single-$connections" "$id" "$total" "\"load\": {\"method\": \"insert\"}, \"writers\": $connections"
    rates_in_turn "by_keybench single-$connections" "by_pgbench single $connections $inserts"
    mark "prepared inserts / pgbench, $connections connections, transactions a second" "$ratio" at-least 1.0
    scenario "pipeline-$connections" "$id" "$((total * 10))" \
        "\"load\": {\"method\": \"insert\", \"pipeline\": true, \"rows_per_transaction\": 10}, \"writers\": $connections"
    rates_in_turn "by_keybench pipeline-$connections" "by_pgbench pipeline $connections $inserts"
    # keybench's are rows, ten a transaction
    ratio=$(awk -v ratio="$ratio" 'BEGIN { print ratio / 10 }')
    mark "the same pipelined, ten inserts a transaction" "$ratio" at-least 1.0
done

# ---- Memory ----

scenario large '{"name": "id", "source": "keybench", "format": "uuidv7"}' 10000000 '"load": {"method": "copy"}'
peak_mb() { # of the program alone, from the kernel's account of it
    python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)' \
        build/keybench run "$work/large.json" -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet
}
mark 'client peak memory at 10,000,000 rows, MB' "$(peak_mb)" at-most 16
exit "$bench_missed"
