#!/usr/bin/env bash
# keybench run and report on real servers: a whole run, its result file, equal reports, exit statuses, and a user's server.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}

# A scenario that takes a second: three designs, 4,000 rows and four checkpointed batches of 1,000.
scenario() { # NAME BOUNDS
    cat <<JSON
{"format": "keybench-scenario/1", "name": "$1", "title": "Small", "seed": 7,
 "designs": [
  {"name": "bigint", "title": "bigint", "primary_key": "id", "columns": [
    {"name": "id", "type": "bigint", "source": "identity"}, {"name": "n", "type": "integer", "source": "row_number"}]},
  {"name": "v4", "title": "UUIDv4", "primary_key": "id", "columns": [
    {"name": "id", "source": "keybench", "format": "uuidv4"}, {"name": "n", "type": "integer", "source": "row_number"}]},
  {"name": "v7", "title": "UUIDv7", "primary_key": "id", "columns": [
    {"name": "id", "type": "uuid", "source": "server", "generator": "uuidv7", "fallback": "uuidv7"},
    {"name": "n", "type": "integer", "source": "row_number"}]}],
 "phases": [
  {"name": "first", "title": "first 4,000 rows", "rows": 4000, "batches": 1, "checkpoint": "each_batch"},
  {"name": "second", "title": "second 4,000 rows", "rows": 4000, "batches": 4, "checkpoint": "each_batch"}],
 "tables": [
  {"title": "Small", "phase": "second", "metrics": ["wal_bytes", "fpi_count", "elapsed_ms"]}],
 "charts": [{"name": "wal", "kind": "bars", "phase": "second", "metrics": ["wal_bytes"]}],
 "bounds": [$2]}
JSON
}
value() { # FILE EXPRESSION: a JSON value, by python so that another reader than ours reads the file
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}
left_behind() {
    compgen -G "$TMPDIR/keybench-$(id -u)-*"
}

export TMPDIR=$tap_work
scenario small '{"name": "ratio", "metric": "wal_bytes", "design": "v4", "phase": "second", "over_design": "v7", "min": 1.2}' \
    >"$tap_work/small.json"
scenario failing '{"name": "never", "metric": "wal_bytes", "design": "v4", "phase": "second", "max": 1}' \
    >"$tap_work/failing.json"

run "$keybench" run "$tap_work/small.json" -o "$tap_work/a"
is_status 0 'a run on a throwaway server'
result=$(compgen -G "$tap_work/a/small-*.json")
holds "$out" 'MB means 2^20 bytes' 'the tables say what MB means'
holds "$out" 'rows between checkpoints' 'and the rows between checkpoints'
holds "$err" '24,000 rows' 'it says before how many rows it writes'
holds "$err" "result $result" 'and where the result is'
equal "$(value "$result" 'r["status"]')" complete 'the result is complete'
equal "$(value "$result" 'sum(len(p["batches"]) for d in r["designs"] for p in d["phases"])')" 15 'all batches are there'
equal "$(value "$result" 'r["checks"][0]["verdict"]')" pass 'the bound holds'
equal "$(value "$result" 'all(p["wal_bytes"] == sum(b["wal_bytes"] for b in p["batches"]) for d in r["designs"] for p in d["phases"])')" \
    True 'a phase is the sum of its batches'
equal "$(value "$result" 'all(p["lsn_bytes"] > p["wal_bytes"] for d in r["designs"] for p in d["phases"])')" True \
    'the log position moves further than the WAL of the statements'
printed=$out
run "$keybench" report "$result"
is_status 0 'a report of it'
equal "$out" "$printed" 'the report prints what the run printed'
charts=$(find "$tap_work/a" -name '*.svg' -o -name '*.png' | wc -l)
equal "$charts" 2 'the chart is drawn as SVG and PNG'
! left_behind >"$tap_work/out"
ok $? 'nothing is left of the throwaway server'

run "$keybench" run "$tap_work/small.json" -o "$tap_work/b" --charts none --json --quiet
is_status 0 'a second run, as JSON'
equal "$err" '' 'quiet prints nothing on standard error'
second=$(compgen -G "$tap_work/b/small-*.json")
equal "$out" "$(<"$second")" 'standard output holds the result file and nothing else'
counts='[[b[k] for k in ("wal_bytes", "wal_record_count", "fpi_count")] for d in r["designs"] for p in d["phases"][1:] for b in p["batches"]]'
equal "$(value "$second" "$counts")" "$(value "$result" "$counts")" 'two runs with one seed count the same, to the byte'

run "$keybench" run "$tap_work/small.json" -o "$tap_work/jobs" --charts none --jobs 2
is_status 0 'two designs side by side'
third=$(compgen -G "$tap_work/jobs/small-*.json")
equal "$(value "$third" "$counts")" "$(value "$result" "$counts")" 'count the same'
holds "$out" 'not comparable' 'and their times are labelled'

run "$keybench" run "$tap_work/failing.json" -o "$tap_work/f" --charts none
is_status 1 'a bound that does not hold'
holds "$out" FAIL 'the table says which'

mkdir "$tap_work/bin"
for tool in env bash cp mv rm; do ln -s "$(command -v "$tool")" "$tap_work/bin/$tool"; done
run env PATH="$tap_work/bin" "$keybench" run "$tap_work/small.json" -o "$tap_work/nogp"
is_status 0 'without gnuplot a run succeeds'
holds "$err" 'gnuplot-nox' 'and says what to install'

run "$keybench" run no-such-scenario
is_status 2 'a scenario that is not there'
run "$keybench" run
is_status 2 'no scenario'
run "$keybench" run "$tap_work/small.json" --jobs 0
is_status 2 'an option out of range'
run "$keybench" run "$tap_work/small.json" --job 2
is_status 0 'an abbreviated option, as GNU programs take it'
run "$keybench" run "$tap_work/small.json" --pg-bindir /nonexistent
is_status 2 'a folder without a server'
run env PGHOST=/nonexistent "$keybench" run "$tap_work/small.json" -o "$tap_work/n"
is_status 3 'a server that is not there'
holds "$err" '/nonexistent' 'the message names it'
run "$keybench" run "$tap_work/small.json" -o /proc/nowhere
is_status 3 'a folder that cannot be made'

# A user's server, a user without rights, then with just enough.
run "$keybench" cluster start
is_status 0 'a kept server'
socket=$(sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' <<<"$out" | head -n 1)
tap_cleanup+=("'$keybench' cluster stop '$socket' >/dev/null 2>&1")
as_admin() { psql -X -q -A -t -h "$socket" -U postgres -d "${2:-postgres}" -c "$1"; }
as_admin 'CREATE ROLE bench LOGIN'
as_admin 'CREATE DATABASE "wei rd ünì" OWNER bench'
target=(-h "$socket" -U bench -d 'wei rd ünì')
run "$keybench" run "$tap_work/small.json" "${target[@]}" -o "$tap_work/u" --charts none
is_status 3 'a database without pgstattuple'
holds "$err" 'CREATE EXTENSION pgstattuple' 'the remedy is named'
as_admin 'CREATE EXTENSION pgstattuple' 'wei rd ünì'
run "$keybench" run "$tap_work/small.json" "${target[@]}" -o "$tap_work/u" --charts none
is_status 3 'a role that may not checkpoint'
holds "$err" 'GRANT pg_checkpoint' 'the remedy is named'
as_admin 'GRANT pg_checkpoint, pg_stat_scan_tables TO bench'
run "$keybench" run "$tap_work/small.json" "${target[@]}" -o "$tap_work/u2" --charts none
is_status 0 'a plain role with the two grants'
mine=$(compgen -G "$tap_work/u2/small-*.json")
equal "$(value "$mine" "$counts")" "$(value "$result" "$counts")" 'counts as on a throwaway server'
equal "$(as_admin "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'keybench%'" 'wei rd ünì')" 0 'no schema is left'
run "$keybench" run "$tap_work/small.json" "${target[@]}" --jobs 2
is_status 2 'side by side on one server is refused'
run "$keybench" run "$tap_work/small.json" --dbname "host=$socket user=bench password=geheim dbname='wei rd ünì'" \
    -o "$tap_work/u3" --charts none
is_status 0 'a connection string'
! grep -rq geheim "$tap_work/u3" "$tap_work/out" "$tap_work/err"
ok $? 'no password is in the result or the output'
as_admin 'CREATE SCHEMA keybench' 'wei rd ünì'
run "$keybench" run "$tap_work/small.json" "${target[@]}" -o "$tap_work/u4" --charts none
is_status 3 'a schema of our name by somebody else'
equal "$(as_admin "SELECT count(*) FROM pg_namespace WHERE nspname = 'keybench'" 'wei rd ünì')" 1 'it is left alone'
done_testing
