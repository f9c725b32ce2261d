#!/usr/bin/env bash
# The quick scenario by keybench against the same statements by psql, on one server; two jobs against one; and the
# client's peak memory at 200,000 and at 2,000,000 rows.
# shellcheck disable=SC2317,SC2154 # functions are called by name; in_turn sets ratio
set -euo pipefail
# shellcheck source=tests/support/bench.sh
. "$(dirname "$0")/../support/bench.sh"
cd "$(dirname "$0")/../.."
runs=${BENCH_RUNS:-5}
work=$(mktemp -d)
chmod 755 "$work"
trap 'build/keybench cluster stop "$folder" 2>/dev/null; rm -rf "$work"' EXIT

folder=$(build/keybench cluster start | sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' | head -n 1)
psql=(psql -X -q -h "$folder" -U postgres -d postgres -v ON_ERROR_STOP=1)
"${psql[@]}" -c 'CREATE EXTENSION pgstattuple'

# The statements that keybench sends for table-13-1-quick, in its order.
script() {
    local type default expression batch
    local point='SELECT pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn(), redo_lsn FROM pg_control_checkpoint();'
    local explain='EXPLAIN (ANALYZE, WAL, BUFFERS, TIMING OFF, SUMMARY, FORMAT JSON) INSERT INTO keybench.t (n)'
    local probe="SELECT pg_relation_size('keybench.t');
SELECT c.relname, pg_relation_size(c.oid), s.* FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid,
LATERAL pgstatindex(c.oid::regclass) s WHERE i.indrelid = 'keybench.t'::regclass;"

    echo 'CREATE SCHEMA keybench;'
    while read -r type default; do
        echo "CREATE TABLE keybench.t (id $type $default, n integer, PRIMARY KEY (id)) WITH (autovacuum_enabled = off);"
        for ((batch = 0; batch <= 10; batch++)); do
            ((batch == 0)) && expression='1, 200000' || expression="$((180001 + batch * 20000)), $((200000 + batch * 20000))"
            printf '%s\n' 'CHECKPOINT;' "$point" "$explain SELECT r::integer FROM generate_series($expression) AS r;" "$point"
            ((batch == 0 || batch == 10)) && echo "$probe"
        done
        echo 'SELECT avg(size) FROM (SELECT pg_column_size(id) AS size FROM keybench.t LIMIT 1000) AS sample;'
        echo 'DROP TABLE keybench.t;'
    done <<'DESIGNS'
bigint GENERATED ALWAYS AS IDENTITY
uuid DEFAULT gen_random_uuid()
uuid DEFAULT uuidv7()
DESIGNS
    echo 'DROP SCHEMA keybench;'
}
script >"$work/statements.sql"
by_keybench() {
    build/keybench run table-13-1-quick -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet || (($? == 1))
}
by_psql() {
    "${psql[@]}" -f "$work/statements.sql"
}
in_turn "$runs" by_keybench by_psql
mark "keybench / psql, the same statements on one server, wall time" "$ratio" at-most 1.03

jobs_2() {
    build/keybench run table-13-1-quick --jobs 2 -o "$work" --charts none --quiet || (($? == 1))
}
jobs_1() {
    build/keybench run table-13-1-quick --jobs 1 -o "$work" --charts none --quiet || (($? == 1))
}
in_turn "$runs" jobs_2 jobs_1
mark "--jobs 2 / --jobs 1, throwaway servers, wall time" "$ratio" at-most 0.60

peak_mb() { # SCENARIO: of the program alone, from the kernel's account of it
    python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)' \
        build/keybench run "$1" -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet
}
mark "client peak memory, 200,000 + 200,000 rows a design, minted here, MB" "$(peak_mb minted-quick)" at-most 16
sed 's/200000/2000000/' scenarios/minted-quick.json >"$work/large.json"
mark "client peak memory, 2,000,000 + 200,000 rows a design, MB" "$(peak_mb "$work/large.json")" at-most 16
exit "$bench_missed"
