# shellcheck shell=bash
# What tests need around a server that stands for the user's own; sourced after tap.sh. Sets nothing but functions;
# they use $keybench, $tap_work and, after start_server, $socket.

# A kept server, stopped when the test ends; $socket is its folder.
start_server() {
    run "$keybench" cluster start
    is_status 0 'a server to work on'
    socket=$(sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' <<<"$out" | head -n 1)
    if [[ -z $socket ]]; then
        done_testing
        exit 1
    fi
    tap_cleanup+=("'$keybench' cluster stop '$socket' >/dev/null 2>&1")
}

admin() { # STATEMENT [DATABASE]
    psql -X -q -A -t -v ON_ERROR_STOP=1 -h "$socket" -U postgres -d "${2:-postgres}" -c "$1"
}

deadline() { # COMMAND...: until it succeeds, at most 20 s
    local i
    for ((i = 0; i < 200; i++)); do
        "$@" && return
        sleep 0.1
    done
    return 1
}

# The server's whole catalogue and the next transaction number: equal when nothing was written in between.
written_so_far() { # DATABASE
    admin "SELECT (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_namespace), (SELECT count(*) FROM pg_database),
        (SELECT count(*) FROM pg_authid), (SELECT count(*) FROM pg_extension), pg_snapshot_xmax(pg_current_snapshot())" "$1"
}

no_schema() { # DATABASE
    [[ $(admin "SELECT count(*) FROM pg_namespace WHERE nspname = 'keybench'" "$1") == 0 ]]
}
no_session() { # DATABASE
    [[ $(admin "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'keybench' AND datname = current_database()" \
        "$1") == 0 ]]
}
nothing_left() { # DATABASE LABEL
    no_schema "$1" && deadline no_session "$1"
    ok $? "$2: no schema and no session is left"
}

# As root the server runs as another user, and so must what works on its files.
as_owner() { # COMMAND...
    local owner
    owner=$(stat -c %U "$socket/data")
    if [[ $owner == "$(id -un)" ]]; then
        "$@"
    else
        runuser -u "$owner" -- "$@"
    fi
}

postmaster_pid() { head -n 1 "$socket/data/postmaster.pid"; }

# restart_server [COMMAND...]: fast stop, then the command if any, then start.
restart_server() {
    local pid bindir
    pid=$(postmaster_pid)
    bindir=$(dirname "$(readlink "/proc/$pid/exe")")
    as_owner "$bindir/pg_ctl" -D "$socket/data" -s -w -m fast stop >/dev/null
    "${@:-true}"
    as_owner "$bindir/pg_ctl" -D "$socket/data" -s -w -l "$socket/data/restarted.log" start >/dev/null
}
