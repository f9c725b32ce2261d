#!/usr/bin/env bash
# Ways to load, by the program: who counts the WAL, what the tables say, several writers that are interrupted, and the
# scenarios about formats that take seconds.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
export TMPDIR=$tap_work KEYBENCH_DATA=$PWD

value() { # FILE EXPRESSION
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}
scenario() { # NAME ROWS PHASE-KEYS
    cat <<JSON
{"format": "keybench-scenario/1", "name": "$1", "seed": 7,
 "designs": [{"name": "v7", "primary_key": "id", "columns": [
    {"name": "id", "source": "keybench", "format": "uuidv7"}, {"name": "n", "type": "integer", "source": "row_number"}]}],
 "phases": [
  {"name": "staged", "rows": 2000},
  {"name": "load", "rows": $2, "batches": 2, $3}],
 "tables": [{"phase": "load", "metrics": ["wal_bytes", "fpi_count", "dirtied_pages", "elapsed_ms"]}]}
JSON
}

scenario copy 4000 '"load": {"method": "copy", "rows_per_transaction": 500}, "writers": 2' >"$tap_work/copy.json"
run "$keybench" run "$tap_work/copy.json" -o "$tap_work/results" --charts none
is_status 0 'two writers of COPY'
result=$(compgen -G "$tap_work/results/copy-*.json")
major=$(value "$result" 'int(r["server"]["version_number"]) // 10000')
equal "$(value "$result" 'r["designs"][0]["phases"][0]["wal_source"]')" plan 'the plan counts what is staged'
if ((major >= 18)); then
    equal "$(value "$result" 'r["designs"][0]["phases"][1]["wal_source"]')" backend 'the sessions count what is copied'
else
    equal "$(value "$result" 'r["designs"][0]["phases"][1]["wal_source"]')" walinspect 'the log is read for what is copied'
fi
equal "$(value "$result" 'r["designs"][0]["phases"][1]["rows"]')" 4000 'all rows'
equal "$(value "$result" 'r["designs"][0]["phases"][1]["dirtied_pages"]')" None 'nobody counts buffers'
holds "$out" '4,000 rows in 2 batches of 2,000; COPY of 500 rows, by 2 writers' 'the table says how rows came'
holds "$out" 'commits included' 'and who counted'
equal "$(value "$result" 'r["findings"]')" '[]' 'the writers do not taint each other'

scenario long 4000000 '"load": {"method": "insert"}, "writers": 3' >"$tap_work/long.json"
"$keybench" run "$tap_work/long.json" -o "$tap_work/results" --charts none >"$tap_work/out.log" 2>"$tap_work/err.log" &
pid=$!
for _ in {1..300}; do
    grep -q '"load"\|load' "$tap_work/err.log" "$tap_work/results/"long-*.json 2>/dev/null && break
    sleep 0.1
done
sleep 0.5
kill -INT "$pid"
wait "$pid"
equal "$?" 130 'an interrupt ends three writers'
compgen -G "$TMPDIR/keybench-$(id -u)-*" >/dev/null
equal "$?" 1 'and leaves no server behind'

for name in late-arrivals uuid-as-text-quick; do
    run "$keybench" run "$name" -o "$tap_work/results" --charts none
    is_status 0 "$name: all bounds hold"
done
done_testing
