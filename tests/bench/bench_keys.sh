#!/usr/bin/env bash
# Minting on one core: against libuuid (bench_keys.c says how), and a UUIDv4 minted here against gen_random_uuid()
# called in the server, of which the time of the bare loop is taken off.
set -euo pipefail
# shellcheck source=tests/support/bench.sh
. "$(dirname "$0")/../support/bench.sh"
cd "$(dirname "$0")/../.."
runs=${BENCH_RUNS:-5}
calls=${BENCH_CALLS:-1000000}
work=$(mktemp -d)
chmod 755 "$work"
trap 'build/keybench cluster stop "$folder" >/dev/null 2>&1; rm -rf "$work"' EXIT

make --no-print-directory LDFLAGS=-luuid build/tests/bench/bench_keys >/dev/null
build/tests/bench/bench_keys | tee "$work/keys" || bench_missed=1

folder=$(build/keybench cluster start | sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' | head -n 1)
server_ms() { # EXPRESSION: median of the time for all calls
    for ((i = 0; i <= runs; i++)); do
        printf 'SELECT count(%s) FROM generate_series(1, %s) AS g;\n' "$1" "$calls"
    done | psql -X -q -h "$folder" -U postgres -d postgres -v ON_ERROR_STOP=1 -c '\timing on' -f - |
        sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | tail -n "$runs" | median
}
with=$(server_ms 'gen_random_uuid()')
without=$(server_ms g)
for format in uuidv4 uuidv7 ulid ksuid snowflake; do
    ratio=$(awk -v format="$format" -v with="$with" -v without="$without" -v calls="$calls" \
        '$1 == format && $2 == "mint" { print (with - without) * 1e6 / calls / $3 }' "$work/keys")
    mark "$format minted here / gen_random_uuid() in the server, ids a second" "$ratio" at-least 100
done
exit "$bench_missed"
