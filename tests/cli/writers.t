#!/usr/bin/env bash
# Several writers in a sweep: a deadlock, a lost connection, a serialization failure and a statement timeout each fail
# their own trial, and the others go on.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
# shellcheck source=tests/support/users_server.sh
. "$(dirname "$0")/../support/users_server.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
export TMPDIR=$tap_work KEYBENCH_DATA=$PWD

value() { # FILE EXPRESSION
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

start_server

# Each design's table gets a trigger that makes its trouble, by two writers whose first rows are 1 and 201.
admin "CREATE SEQUENCE public.step;
CREATE FUNCTION public.trouble() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
    IF new.n NOT IN (1, 201) THEN RETURN new; END IF;
    CASE TG_TABLE_NAME
    WHEN 'lost' THEN
        IF new.n = 201 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
    WHEN 'timeout' THEN
        IF new.n = 201 THEN PERFORM pg_sleep(60); END IF;
    WHEN 'deadlock' THEN
        PERFORM pg_advisory_xact_lock(770000 + new.n);
        WHILE (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid IN (770001, 770201) AND granted) < 2
        LOOP PERFORM pg_sleep(0.001); END LOOP;
        PERFORM pg_advisory_xact_lock(770202 - new.n);
    WHEN 'serialization' THEN
        PERFORM nextval('public.step');
        WHILE (SELECT last_value FROM public.step) < 2 LOOP PERFORM pg_sleep(0.001); END LOOP;
    END CASE;
    RETURN new; END \$\$;
CREATE FUNCTION public.watch() RETURNS event_trigger LANGUAGE plpgsql AS \$\$ DECLARE it text; BEGIN
    PERFORM setval('public.step', 1, false);
    FOR it IN SELECT object_identity FROM pg_event_trigger_ddl_commands()
        WHERE object_type = 'table' AND schema_name = 'keybench' AND object_identity <> 'keybench.good'
    LOOP EXECUTE format('CREATE TRIGGER trouble BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION public.trouble()', it);
    END LOOP; END \$\$;
CREATE EVENT TRIGGER watch ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION public.watch()" || exit 1

design() { # NAME
    cat <<JSON
{"name": "$1", "primary_key": "id", "columns": [{"name": "id", "source": "keybench", "format": "bigint"},
    {"name": "n", "type": "integer", "source": "row_number"}]}
JSON
}
scenario() { # ON-ERROR [FURTHER-KEYS]
    cat <<JSON
{"format": "keybench-scenario/1", "name": "trouble-$1", "seed": 7,
 "designs": [$(design good), $(design lost), $(design timeout), $(design deadlock), $(design serialization)],
 "phases": [{"name": "p", "rows": 400, "writers": 2, "checkpoint": "none", "load": {"method": "insert", "check": true,
    "on_error": "$1", ${2:-} "isolation": ["read committed", "serializable"]}}],
 "tables": [{"phase": "p", "metrics": ["rows", "wal_record_count", "failed_transaction_count"]}]}
JSON
}

scenario stop >"$tap_work/stop.json"
run "$keybench" run -h "$socket" -U postgres -d postgres --statement-timeout 4s "$tap_work/stop.json" -o "$tap_work/results" \
    --charts none
is_status 3 'troubled trials in a sweep'
result=$(compgen -G "$tap_work/results/trouble-stop-*.json")
trial() { # DESIGN ISOLATION EXPRESSION-OF-D
    value "$result" "[$3 for d in r['designs'] if d['name'] == '$1' and d['sweep']['isolation'] == '$2'][0]"
}
error() { # DESIGN ISOLATION
    trial "$1" "$2" "d.get('error', 'none')"
}
for isolation in 'read committed' serializable; do
    holds "$(error lost "$isolation")" 'lost the connection' 'a lost connection is the cause of one'
    holds "$(error lost "$isolation")" 'writer 2' 'with its writer'
    holds "$(error timeout "$isolation")" 'no answer within 4 s' 'a statement timeout of another'
    holds "$(error deadlock "$isolation")" 'deadlock detected (SQLSTATE 40P01)' 'a deadlock of the third'
done
holds "$(error serialization serializable)" 'could not serialize access' 'a serialization failure of the fourth'
case "$(error lost serializable)" in *probably*) false ;; esac
ok $? 'a cause is a cause: the client library'"'"'s guess is a hint'
for design in good serialization; do
    equal "$(error "$design" 'read committed')" none "$design: none without trouble"
    equal "$(trial "$design" 'read committed' "d['phases'][0]['rows']")" 400 'and all rows'
done
equal "$(value "$result" 'r["status"]')" failed 'the result says that it is not whole'
for design in lost timeout deadlock serialization; do
    grep -q "failed:.*\"$design\"" "$tap_work/err"
    ok $? "$design is named as failed"
done
grep -Eq 'error: at isolation=(read committed|serializable): design' "$tap_work/err"
ok $? 'the error at the end says at which point'
grep -Eq '^read committed +400 +failed +failed +failed +400$' "$tap_work/out"
ok $? 'the table shows the holes'
! grep -E '^serializable .*[0-9]x' "$tap_work/out"
ok $? 'and no ratio comes from them'
nothing_left postgres 'after troubled trials'

scenario retry '"retries_max": 1000,' >"$tap_work/retry.json"
run "$keybench" run -h "$socket" -U postgres -d postgres --only 'isolation=serializable,design=serialization' \
    "$tap_work/retry.json" -o "$tap_work/results" --charts none
is_status 0 'tried again, a serialization failure is no trouble'
result=$(compgen -G "$tap_work/results/trouble-retry-*.json")
equal "$(value "$result" "[f['sqlstate'] for d in r['designs'] for f in d['phases'][0]['failures']]")" "['40001']" \
    'and is counted by its SQLSTATE'
equal "$(value "$result" "[d['phases'][0]['rows'] for d in r['designs']]")" '[400]' 'all rows are in'
holds "$out" 'with SQLSTATE 40001' 'the note under the table says so'
done_testing
