#!/usr/bin/env bash
# keybench doctor: says all that keeps a run from a server, with remedies that work as they stand, and writes nothing.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
# shellcheck source=tests/support/users_server.sh
. "$(dirname "$0")/../support/users_server.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
export TMPDIR=$tap_work

run "$keybench" doctor
is_status 0 'without a server of yours'
holds "$out" 'ok    throwaway server: PostgreSQL' 'without a server of yours'
run "$keybench" doctor --pg-bindir /nonexistent
is_status 2 'no programs of a server'
holds "$out" 'NO    throwaway server' 'no programs of a server'
run "$keybench" doctor -h /nonexistent
is_status 3 'a server that is not there'
holds "$out" 'NO    server: cannot connect to the server' 'a server that is not there'
run env PATH=/nonexistent "$keybench" doctor
holds "$out" 'sudo apt-get install gnuplot-nox' 'without gnuplot it says what to install'

# A role and a database whose names need quoting, and no right at all.
start_server
admin 'CREATE ROLE "be ""nch" LOGIN'
admin 'CREATE DATABASE "Büro 1"'
admin 'REVOKE ALL ON DATABASE "Büro 1" FROM PUBLIC'
admin 'GRANT CONNECT ON DATABASE "Büro 1" TO PUBLIC'
target=(-h "$socket" -U 'be "nch' -d 'Büro 1')
before=$(written_so_far 'Büro 1')
run "$keybench" doctor "${target[@]}"
is_status 3 'a role without any right'
holds "$out" 'CREATE EXTENSION pgstattuple;' 'the remedy is named'
holds "$out" 'GRANT pg_checkpoint TO "be ""nch";' 'the remedy is named'
holds "$out" 'GRANT pg_stat_scan_tables TO "be ""nch";' 'the remedy is named'
holds "$out" 'GRANT CREATE ON DATABASE "Büro 1" TO "be ""nch";' 'the remedy is named'
holds "$out" 'GRANT TEMPORARY ON DATABASE "Büro 1" TO "be ""nch";' 'the remedy is named'
equal "$(grep -c '^NO' <<<"$out")" 5 'each missing right has a line'
equal "$(grep -c 'keybench: error' <<<"$err")" 1 'and there is one error'
equal "$(written_so_far 'Büro 1')" "$before" 'nothing was written'

sed -n 's/^ .*: \([A-Z].*;\)$/\1/p' "$tap_work/out" >"$tap_work/remedies.sql"
run psql -X -q -v ON_ERROR_STOP=1 -h "$socket" -U postgres -d 'Büro 1' -f "$tap_work/remedies.sql"
is_status 0 'the remedies can be run as they stand'
before=$(written_so_far 'Büro 1')
run "$keybench" doctor "${target[@]}"
is_status 0 'then the server is fit'
equal "$(grep -c '^NO' <<<"$out")" 0 'and no line says otherwise'
holds "$out" 'full_page_writes: on' 'settings that matter are shown'
holds "$out" 'disk: not known: it takes a Unix socket, pg_read_all_settings' 'a disk that the role may not see'
run "$keybench" doctor -h "$socket" -U postgres -d 'Büro 1'
holds "$out" " free in $socket/data" 'one that a superuser may'
run "$keybench" doctor "${target[@]}"
equal "$err" '' 'nothing is on standard error'
equal "$(written_so_far 'Büro 1')" "$before" 'nothing was written'

# What looks like production or is not ours.
admin "SELECT pg_create_physical_replication_slot('theirs')" >/dev/null
run "$keybench" doctor "${target[@]}"
is_status 3 'a replication slot'
holds "$out" 'NO    replication: 1 replication slots' 'a replication slot'
holds "$out" '--yes-really' 'and how to insist'
admin "SELECT pg_drop_replication_slot('theirs')" >/dev/null
admin 'CREATE SCHEMA keybench' 'Büro 1'
run "$keybench" doctor "${target[@]}"
is_status 3 'a schema of our name by somebody else'
holds "$out" 'NO    schema keybench: exists and was not made by keybench' 'a schema of our name by somebody else'
done_testing
