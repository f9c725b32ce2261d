#!/usr/bin/env bash
# A run that is cut short in the middle of a batch, in every way: right exit status, a readable partial result, nothing left.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
export TMPDIR=$tap_work

# The first phase is quick; a batch of the second takes far longer than the test waits.
cat >"$tap_work/long.json" <<'JSON'
{"format": "keybench-scenario/1", "name": "long", "title": "Long", "seed": 7,
 "designs": [{"name": "v4", "title": "UUIDv4", "primary_key": "id", "columns": [
   {"name": "id", "type": "uuid", "source": "server", "generator": "gen_random_uuid"},
   {"name": "n", "type": "integer", "source": "row_number"}]}],
 "phases": [
  {"name": "first", "title": "quick", "rows": 2000, "batches": 1, "checkpoint": "each_batch"},
  {"name": "second", "title": "long", "rows": 100000000, "batches": 1, "checkpoint": "each_batch"}]}
JSON

deadline() { # COMMAND...: until it succeeds, at most 30 s
    local i
    for ((i = 0; i < 300; i++)); do
        "$@" && return
        sleep 0.1
    done
    return 1
}
in_second() { grep -q 'second' "$tap_work/progress"; }
# Both the second phase has begun and its statement is running: the table grows.
growing() { (($(du -s "$tap_work" | cut -f 1) > base + 20000)); }
gone() { ! kill -0 "$1" 2>/dev/null; }
nothing_left() {
    ! compgen -G "$tap_work/keybench-$(id -u)-*" >/dev/null && ! pgrep -f "$tap_work/keybench-" >/dev/null
}
postmaster() { head -n 1 "$tap_work"/keybench-"$(id -u)"-*/data/postmaster.pid; }

begin() { # OUTPUT-FOLDER [OPTION...]: starts a run in the background and waits until it is in the long batch
    local folder=$1
    shift
    : >"$tap_work/progress"
    "$keybench" run "$tap_work/long.json" -o "$folder" --charts none "$@" >"$tap_work/out" 2>"$tap_work/progress" &
    child=$!
    deadline in_second || echo '# the second phase did not begin'
    base=$(du -s "$tap_work" | cut -f 1)
    deadline growing || echo '# the long batch did not begin'
}
finish() { # EXPECTED-STATUS LABEL
    local status=0
    wait "$child" || status=$?
    cp "$tap_work/progress" "$tap_work/err"
    is_status "$1" "$2"
    deadline nothing_left
    ok $? "$2: no process, socket or folder is left"
}
result_says() { # FOLDER STATUS LABEL
    local file
    file=$(compgen -G "$1/long-*.json")
    run python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
first, *more = r["designs"][0]["phases"]
print(r["status"], first["complete"], len(first["batches"]), any(p["complete"] for p in more))' "$file"
    equal "$out" "$2 True 1 False" "$3: the result holds the first phase and says $2"
    run "$keybench" report "$file"
    is_status 0 "$3: the partial result can be reported"
    holds "$out" "$2" "$3: the report says so"
    [[ $out != *[0-9]x* ]]
    ok $? "$3: no ratio is shown"
}

begin "$tap_work/int"
kill -INT "$child"
finish 130 SIGINT
result_says "$tap_work/int" interrupted SIGINT

begin "$tap_work/term"
kill -TERM "$child"
finish 130 SIGTERM
result_says "$tap_work/term" interrupted SIGTERM

begin "$tap_work/kill"
kill -KILL "$child"
finish 137 'kill -9'
result_says "$tap_work/kill" interrupted 'kill -9'

begin "$tap_work/server"
kill -KILL "$(postmaster)"
finish 3 'the server killed'
result_says "$tap_work/server" failed 'the server killed'
grep -q 'lost the connection\|terminat\|crash' "$tap_work/progress"
ok $? 'the server killed: the message says so'

# A user's server: the statement is cancelled, and our schema goes.
run "$keybench" cluster start
socket=$(sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' <<<"$out" | head -n 1)
ask() { psql -X -q -A -t -h "$socket" -U postgres -c "$1"; }
begin "$tap_work/user" -h "$socket" -U postgres
kill -INT "$child"
status=0
wait "$child" || status=$?
is_status 130 'SIGINT on a user'\''s server'
equal "$(ask "SELECT count(*) FROM pg_namespace WHERE nspname = 'keybench'")" 0 'SIGINT on a user'\''s server: no schema is left'
equal "$(ask "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'keybench'")" 0 'SIGINT on a user'\''s server: no session is left'
result_says "$tap_work/user" interrupted 'SIGINT on a user'\''s server'
run "$keybench" cluster stop "$socket"
is_status 0 'the kept server is stopped'
deadline nothing_left
ok $? 'nothing is left of it'

# Full disks: the server's, and the one for results.
small_disk() { # FOLDER SIZE
    mkdir "$1"
    if ! mount -t tmpfs -o "size=$2" tmpfs "$1" 2>/dev/null; then
        rmdir "$1"
        return 1
    fi
    tap_cleanup+=("umount '$1'")
}
if small_disk "$tap_work/disk" 1g; then
    chmod 1777 "$tap_work/disk"
    run env TMPDIR="$tap_work/disk" "$keybench" run "$tap_work/long.json" -o "$tap_work/full" --charts none
    is_status 3 'a disk that the run cannot fit'
    holds "$err" 'is too small: the run needs about' 'a disk that the run cannot fit'
    # A run that fits, until somebody else fills the disk.
    sed 's/100000000/2000000/' "$tap_work/long.json" >"$tap_work/fits.json"
    : >"$tap_work/progress"
    TMPDIR=$tap_work/disk "$keybench" run "$tap_work/fits.json" -o "$tap_work/full" --charts none >"$tap_work/out" 2>"$tap_work/progress" &
    child=$!
    deadline in_second || echo '# the second phase did not begin'
    dd if=/dev/zero of="$tap_work/disk/filler" bs=1M 2>/dev/null
    status=0
    wait "$child" || status=$?
    err=$(<"$tap_work/progress")
    rm "$tap_work/disk/filler"
    is_status 3 'the server'\''s disk full'
    holds "$err" 'No space left' 'the server'\''s disk full'
    [[ -z $(find "$tap_work/disk" -mindepth 1) ]]
    ok $? 'the server'\''s disk full: nothing is left on it'
else
    skip 'the server'\''s disk full' 'a tmpfs cannot be mounted here'
fi
if small_disk "$tap_work/tiny" 4k; then
    mkdir "$tap_work/tiny/results"
    run "$keybench" run table-13-1-quick -o "$tap_work/tiny/results" --charts none
    is_status 3 'the results'\'' disk full'
    holds "$err" 'No space left' 'the results'\'' disk full'
    equal "$(find "$tap_work/tiny/results" -type f | wc -l)" 0 'no half file is left'
else
    skip 'the results'\'' disk full' 'a tmpfs cannot be mounted here'
fi
deadline nothing_left
ok $? 'nothing is left at the end'
done_testing
