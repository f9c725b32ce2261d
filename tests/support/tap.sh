# shellcheck shell=bash
# Test Anything Protocol for shell tests; sourced. A test runs commands with `run`, looks at what they left, and ends
# with `done_testing`.

tap_count=0
tap_work=$(mktemp -d "${TMPDIR:-/tmp}/keybench-test.XXXXXX")
chmod 755 "$tap_work" # as root, servers in it run as another user
tap_cleanup=()

tap_end() {
    local command
    for command in "${tap_cleanup[@]}"; do
        eval "$command"
    done
    rm -rf "$tap_work"
}
trap tap_end EXIT

# ok STATUS LABEL: one test; on failure shows what the last run printed.
ok() {
    tap_count=$((tap_count + 1))
    if (($1 == 0)); then
        echo "ok $tap_count - $2"
        return
    fi
    echo "not ok $tap_count - $2"
    sed 's/^/# out: /' "$tap_work/out" 2>/dev/null | tail -n 20
    sed 's/^/# err: /' "$tap_work/err" 2>/dev/null | tail -n 20
}

skip() { # LABEL REASON
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# run COMMAND...: output in $out and $err, exit status in $status.
# shellcheck disable=SC2034 # the tests read them
run() {
    status=0
    "$@" >"$tap_work/out" 2>"$tap_work/err" </dev/null || status=$?
    out=$(<"$tap_work/out")
    err=$(<"$tap_work/err")
}

is_status() { # STATUS LABEL
    ok $((status != $1)) "$2: exit status $1 (got $status)"
}

holds() { # TEXT PART LABEL
    [[ $1 == *"$2"* ]]
    ok $? "$3: holds \"$2\""
}

equal() { # GOT WANTED LABEL
    local good=0
    [[ $1 == "$2" ]] || good=1
    ok $good "$3"
    if ((good != 0)); then
        printf '# wanted: %s\n' "${2//$'\n'/$'\n'# }"
        printf '# got:    %s\n' "${1//$'\n'/$'\n'# }"
    fi
}

done_testing() {
    echo "1..$tap_count"
}
