#!/usr/bin/env bash
# What can go wrong on a server that is not ours: right exit status, one clear message, nothing left, a readable result.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
# shellcheck source=tests/support/users_server.sh
. "$(dirname "$0")/../support/users_server.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
export TMPDIR=$tap_work

scenario() { # NAME ROWS: of the second phase, after a quick first one
    cat <<JSON >"$tap_work/$1.json"
{"format": "keybench-scenario/1", "name": "$1", "title": "Try", "seed": 7,
 "designs": [{"name": "v4", "title": "UUIDv4", "primary_key": "id", "columns": [
   {"name": "id", "type": "uuid", "source": "server", "generator": "gen_random_uuid"},
   {"name": "n", "type": "integer", "source": "row_number"}]},
  {"name": "v7", "title": "UUIDv7", "primary_key": "id", "columns": [
   {"name": "id", "source": "keybench", "format": "uuidv7"}, {"name": "n", "type": "integer", "source": "row_number"}]}],
 "phases": [
  {"name": "first", "title": "quick", "rows": 2000, "batches": 1, "checkpoint": "each_batch"},
  {"name": "second", "title": "then", "rows": $2, "batches": 1, "checkpoint": "each_batch"}],
 "tables": [{"title": "Try", "phase": "second", "metrics": ["wal_bytes"]}]}
JSON
}
scenario small 2000
scenario long 100000000

# ---- A run in the background, on a database of its own ----

declare -A child
in_long_batch() { # DATABASE
    [[ $(admin "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'keybench' AND state = 'active'
        AND datname = current_database() AND query LIKE '%INSERT%'" "$1") == 1 ]] && grep -q ', second' "$tap_work/$1.err"
}
database() { # NAME
    admin "CREATE DATABASE $1"
    admin 'CREATE EXTENSION pgstattuple' "$1"
}
begin() { # DATABASE [OPTION...]: starts the long run and waits until it is in the long batch
    local name=$1
    shift
    "$keybench" run "$tap_work/long.json" -o "$tap_work/$name" --charts none -h "$socket" -U postgres -d "$name" "$@" \
        >"$tap_work/$name.out" 2>"$tap_work/$name.err" &
    child[$name]=$!
    tap_cleanup+=("kill ${child[$name]} 2>&-")
    deadline in_long_batch "$name" || echo "# $name: the long batch did not begin"
}
finish() { # DATABASE STATUS LABEL
    local name=$1 status=0
    wait "${child[$name]}" || status=$?
    cp "$tap_work/$name.out" "$tap_work/out"
    cp "$tap_work/$name.err" "$tap_work/err"
    err=$(<"$tap_work/err")
    is_status "$2" "$3"
    [[ $2 != 3 ]] || equal "$(grep -c '^keybench: error' "$tap_work/err")" 1 "$3: there is one error"
}
result_says() { # DATABASE STATUS LABEL
    local file
    file=$(compgen -G "$tap_work/$1/long-*.json")
    run python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
first, *more = r["designs"][0]["phases"]
print(r["status"], first["complete"], len(first["batches"]), any(p["complete"] for p in more))' "$file"
    equal "$out" "$2 True 1 False" "$3: the result holds the first phase and says $2"
    run "$keybench" report "$file"
    is_status 0 "$3: the partial result can be reported"
    holds "$out" "$2" "$3: the report says so"
}

# ---- Runs that shall succeed, or be refused ----

runs=0
run_small() { # DATABASE USER [OPTION...]
    local name=$1 user=$2
    shift 2
    runs=$((runs + 1))
    run "$keybench" run "$tap_work/small.json" -o "$tap_work/small-$runs" --charts none -h "$socket" -U "$user" -d "$name" "$@"
}
succeeds() { # DATABASE LABEL
    local state
    is_status 0 "$2"
    state=$(python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
print(r["status"], [p["wal_bytes"] > 0 for d in r["designs"] for p in d["phases"]])' \
        "$(compgen -G "$tap_work/small-$runs/small-*.json")")
    equal "$state" 'complete [True, True, True, True]' "$2: the result is complete"
    nothing_left "$1" "$2"
}
refused() { # DATABASE REASON LABEL
    is_status 3 "$3"
    holds "$err" "$2" "$3"
    equal "$(grep -c '^keybench: error' <<<"$err")" 1 "$3: there is one error"
    nothing_left "$1" "$3"
}

# A number format with a comma, where such a locale can be made. The C library never frees what it keeps of LOCPATH, which a
# leak checker would blame on keybench, so the server alone gets it at first.
start_server
comma=
if command -v localedef >/dev/null && mkdir "$tap_work/locale" &&
    localedef -i de_DE -f UTF-8 "$tap_work/locale/de_DE.UTF-8" 2>"$tap_work/err"; then
    comma=de_DE.UTF-8
    chmod -R a+rX "$tap_work/locale"
    LOCPATH=$tap_work/locale restart_server
fi

# ---- The network goes silent: a proxy that stops forwarding, under a run that waits and one that is interrupted ----

database cut
database stuck
tests/support/proxy.py "$socket/.s.PGSQL.5432" "$tap_work/port" &
proxy=$!
tap_cleanup+=("kill $proxy 2>&-")
deadline test -f "$tap_work/port"
port=$(<"$tap_work/port")
run "$keybench" run "$tap_work/small.json" --dbname "host=127.0.0.1 port=$port user=postgres sslmode=require" -o "$tap_work/tls"
refused postgres 'SSL' 'TLS is required and the server has none'
begin cut -h 127.0.0.1 -p "$port" --statement-timeout 4s
begin stuck -h 127.0.0.1 -p "$port"
kill -USR1 "$proxy"
sleep 0.3
began=$SECONDS
kill -INT "${child[stuck]}"
finish cut 3 'the network is cut'
holds "$err" 'no answer within 4 s from host "127.0.0.1"' 'the network is cut'
holds "$err" '"keybench clean" removes it' 'the network is cut: it says what is left, and the remedy'
result_says cut failed 'the network is cut'
finish stuck 130 'Ctrl-C when the network is cut'
result_says stuck interrupted 'Ctrl-C when the network is cut'
((SECONDS - began < 40))
ok $? 'both end soon'

# What they left can be removed, but not while the server is still at work for them.
run "$keybench" clean -h "$socket" -U postgres -d cut
is_status 3 'clean while a session of keybench is there'
holds "$err" 'another keybench run is using' 'clean while a session of keybench is there'
kill "$proxy"
for name in cut stuck; do
    deadline no_session "$name"
    ok $? "$name: the server ends what nobody waits for"
    admin 'CREATE TABLE public.theirs (n int); CREATE SCHEMA theirs CREATE TABLE mine (n int)' "$name"
    run "$keybench" clean -h "$socket" -U postgres -d "$name"
    is_status 0 "$name: clean"
    holds "$out" 'removed schema "keybench"' "$name: clean"
    nothing_left "$name" "$name: clean"
    equal "$(admin "SELECT count(*) FROM pg_class WHERE relname IN ('theirs', 'mine')" "$name")" 2 "$name: what is not ours stays"
done
run "$keybench" clean -h "$socket" -U postgres -d cut
is_status 0 'clean again'
holds "$out" "nothing of keybench's" 'clean again'
admin 'CREATE SCHEMA keybench CREATE TABLE theirs (n int)' cut
run "$keybench" clean -h "$socket" -U postgres -d cut
is_status 3 'clean of a schema that is not ours'
holds "$err" 'was not made by keybench' 'clean of a schema that is not ours'
equal "$(admin 'SELECT count(*) FROM keybench.theirs' cut)" 0 'it is left alone'

# ---- The session is ended by the administrator ----

database ended
begin ended
admin "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'keybench'" >/dev/null
finish ended 3 'the session is terminated'
holds "$err" 'terminating connection due to administrator command' 'the session is terminated'
nothing_left ended 'the session is terminated'
result_says ended failed 'the session is terminated'

# ---- Killed, so that it cannot clean up; then its leftovers are locked ----

begin ended
kill -KILL "${child[ended]}"
finish ended 137 'kill -9'
deadline no_session ended
ok $? 'kill -9: the server ends the statement by itself'
! no_schema ended
ok $? 'kill -9: the schema is left'
table=$(admin "SELECT oid::regclass FROM pg_class WHERE relnamespace = 'keybench'::regnamespace AND relkind = 'r' LIMIT 1" ended)
psql -X -q -h "$socket" -U postgres -d ended -c "BEGIN; LOCK TABLE $table IN ACCESS SHARE MODE; SELECT pg_sleep(60)" \
    >"$tap_work/locker" 2>&1 &
locker=$!
is_locked() { [[ $(admin "SELECT count(*) FROM pg_locks WHERE relation = '$table'::regclass" ended) != 0 ]]; }
deadline is_locked
run_small ended postgres
is_status 3 'another session locks what is left'
holds "$err" '(psql) holds a lock in schema "keybench"' 'another session locks what is left'
holds "$err" 'SELECT pg_terminate_backend(' 'the remedy is named'
kill "$locker"
admin "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%LOCK TABLE%' AND pid <> pg_backend_pid()" >/dev/null
run_small ended postgres
succeeds ended 'then a run takes over what is left'

# ---- The server's disk is full ----

mkdir "$tap_work/disk"
if mount -t tmpfs -o size=40m tmpfs "$tap_work/disk" 2>"$tap_work/err"; then
    tap_cleanup=("umount '$tap_work/disk'" "${tap_cleanup[@]}")
    tap_cleanup=("'$keybench' cluster stop '$socket' >/dev/null 2>&1" "${tap_cleanup[@]}")
    chmod 1777 "$tap_work/disk"
    as_owner mkdir "$tap_work/disk/space"
    admin "CREATE TABLESPACE small LOCATION '$tap_work/disk/space'"
    admin 'CREATE ROLE blind LOGIN; GRANT pg_checkpoint, pg_stat_scan_tables TO blind'
    admin 'CREATE DATABASE full_disk OWNER blind TABLESPACE small'
    admin 'CREATE EXTENSION pgstattuple' full_disk
    run "$keybench" run "$tap_work/long.json" -o "$tap_work/no_room" --charts none -h "$socket" -U postgres -d full_disk
    is_status 3 'a disk that is too small is seen before the run'
    holds "$err" 'the server is not fit for a run: disk: the run needs about ' 'a disk that is too small: the need'
    holds "$err" 'MB are free' 'and what there is'
    ok $(($(compgen -G "$tap_work/no_room/*.json" | wc -l) > 0)) 'and nothing was measured'
    run env TMPDIR="$tap_work/disk" "$keybench" run "$tap_work/long.json" -o "$tap_work/no_room" --charts none
    is_status 3 'nor does a throwaway server begin there'
    holds "$err" "the disk of \"$tap_work/disk\" is too small: the run needs about " 'with the figures'
    run "$keybench" run "$tap_work/long.json" -o "$tap_work/full_disk" --charts none -h "$socket" -U blind -d full_disk
    refused full_disk 'No space left on device' 'the disk of the server is full'
    result_says full_disk failed 'the disk of the server is full'
    admin 'DROP DATABASE full_disk'
    admin 'DROP TABLESPACE small'
    admin 'DROP ROLE blind'
else
    skip 'the disk of the server is full' 'a tmpfs cannot be mounted here'
fi

# ---- Roles and databases with settings of their own ----

admin 'CREATE ROLE bench LOGIN; GRANT pg_checkpoint, pg_stat_scan_tables TO bench'
admin 'CREATE DATABASE other OWNER bench'
admin 'CREATE EXTENSION pgstattuple' other
admin "CREATE SCHEMA odd CREATE VIEW pg_class AS SELECT 1 AS oid CREATE VIEW pg_namespace AS SELECT 1 AS oid;
    CREATE FUNCTION odd.gen_random_uuid() RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid';
    GRANT USAGE ON SCHEMA odd TO bench" other
settings=("statement_timeout = '30ms'" "lock_timeout = '1ms'" 'default_transaction_read_only = on' 'search_path = odd, nowhere, pg_catalog'
    "search_path = ''" 'standard_conforming_strings = off' "datestyle = 'SQL, DMY'" "bytea_output = 'escape'"
    "default_transaction_isolation = 'serializable'")
[[ -z $comma ]] || settings+=("lc_numeric = '$comma'")
for setting in "${settings[@]}"; do
    admin "ALTER ROLE bench SET $setting"
    run_small other bench
    succeeds other "$setting"
    admin 'ALTER ROLE bench RESET ALL'
done
if [[ -n $comma ]]; then
    LOCPATH=$tap_work/locale LC_ALL=$comma ASAN_OPTIONS=detect_leaks=0 run_small other bench
    succeeds other 'a comma in our own numbers'
else
    skip 'lc_numeric with a comma' 'such a locale cannot be made here'
fi

name='o'\''d "ün" %s \ 表'
admin "CREATE DATABASE \"${name//\"/\"\"}\" OWNER bench"
admin 'CREATE EXTENSION pgstattuple' "$name"
run_small "$name" bench
succeeds "$name" 'a database whose name needs quoting'
admin "CREATE DATABASE latin OWNER bench ENCODING LATIN1 TEMPLATE template0 LOCALE 'C'"
admin 'CREATE EXTENSION pgstattuple' latin
run_small latin bench
succeeds latin 'a database in LATIN1'

# ---- A pooler ----

if command -v pgbouncer >/dev/null; then
    mkdir "$tap_work/pool"
    cat <<INI >"$tap_work/pool/pool.ini"
[databases]
* = host=$socket
[pgbouncer]
unix_socket_dir = $tap_work/pool
pidfile = $tap_work/pool/pid
listen_port = 6432
auth_type = trust
auth_file = $tap_work/pool/users
pool_mode = transaction
INI
    echo '"postgres" ""' >"$tap_work/pool/users"
    chown -R "$(stat -c %U "$socket/data")" "$tap_work/pool"
    as_owner pgbouncer -q "$tap_work/pool/pool.ini" >"$tap_work/pool.log" 2>&1 &
    pooler=$!
    tap_cleanup+=("[[ ! -e $tap_work/pool/pid ]] || kill \$(<$tap_work/pool/pid)")
    deadline test -S "$tap_work/pool/.s.PGSQL.6432"
    run_small other postgres -h "$tap_work/pool" -p 6432
    refused_by_pooler() { # LABEL
        is_status 3 "$1"
        holds "$err" 'goes through a pooler' "$1"
        no_schema other
        ok $? "$1: no schema is left"
        equal "$(admin "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
            WHERE locktype = 'advisory' AND datname = 'other'")" 0 "$1: no lock is left"
    }
    refused_by_pooler 'a run through a pooler'
    run "$keybench" clean -h "$tap_work/pool" -p 6432 -U postgres -d other
    refused_by_pooler 'clean through a pooler'
    run "$keybench" doctor -h "$tap_work/pool" -p 6432 -U postgres -d other
    is_status 3 'doctor through a pooler'
    holds "$out" 'NO    connection: it goes through a pooler' 'doctor through a pooler'
    kill "$(<"$tap_work/pool/pid")"
    wait "$pooler"
else
    skip 'a pooler in transaction mode' 'pgbouncer is not installed'
fi

# ---- What looks like production; and nothing is written before the user says so ----

before=$(written_so_far other)
run_small other bench --dry-run
is_status 0 '--dry-run'
holds "$err" '8,000 rows' '--dry-run says what would be written'
equal "$(written_so_far other)" "$before" '--dry-run writes nothing'
admin "SELECT pg_create_physical_replication_slot('theirs')" >/dev/null
before=$(written_so_far other)
run_small other bench
refused other '1 replication slots' 'a replication slot'
holds "$err" '--yes-really' 'how to insist is named'
equal "$(written_so_far other)" "$before" 'a refused run writes nothing'
run_small other bench --yes-really
is_status 0 'a replication slot, and --yes-really'
nothing_left other 'a replication slot, and --yes-really'
admin "SELECT pg_drop_replication_slot('theirs')" >/dev/null
sessions=()
for _ in {1..11}; do
    psql -X -q -h "$socket" -U postgres -c 'SELECT pg_sleep(60)' >"$tap_work/sleep" 2>&1 &
    sessions+=($!)
done
many() { (($(admin "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()") == 11)); }
deadline many
run_small other bench
refused other 'clients are connected' 'many other sessions'
run_small other bench --yes-really
is_status 0 'many other sessions, and --yes-really'
admin "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()" >/dev/null
wait "${sessions[@]}" 2>/dev/null

# ---- Passwords ----

admin "CREATE ROLE guarded LOGIN PASSWORD 'right-pass'"
cp "$socket/data/pg_hba.conf" "$tap_work/pg_hba.conf"
sed '1i local all guarded scram-sha-256' "$tap_work/pg_hba.conf" >"$socket/data/pg_hba.conf"
admin 'SELECT pg_reload_conf()' >/dev/null
PGPASSWORD=wrong-pass run_small other guarded
refused other 'password authentication failed for user "guarded"' 'a wrong password'
! grep -rq 'wrong-pass' "$tap_work/err" "$tap_work/out" "$tap_work/small-$runs"
ok $? 'a wrong password: it is nowhere'
PGPASSFILE=/nonexistent run_small other guarded
refused other 'no password supplied' 'no password'
PGPASSWORD=right-pass run_small other guarded
refused other 'GRANT' 'the right password: only rights are missing'

# ---- The server restarts; archiving is on then ----

database restarted
admin "ALTER SYSTEM SET archive_mode = on"
begin restarted
restart_server
finish restarted 3 'the server is restarted'
holds "$err" 'lost the connection to the server' 'the server is restarted'
nothing_left restarted 'the server is restarted'
result_says restarted failed 'the server is restarted'
run_small other bench
refused other 'archive_mode is on' 'archiving'
run_small other bench --yes-really
is_status 0 'archiving, and --yes-really'
nothing_left other 'archiving, and --yes-really'

# ---- A standby ----

restart_server as_owner touch "$socket/data/standby.signal"
run_small other bench --yes-really
is_status 3 'a server in recovery'
holds "$err" 'the server is in recovery' 'a server in recovery'
run "$keybench" doctor -h "$socket" -U bench -d other
is_status 3 'doctor of a server in recovery'
holds "$out" 'NO    standby: the server is in recovery' 'doctor of a server in recovery'
done_testing
