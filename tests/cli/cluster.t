#!/usr/bin/env bash
# keybench cluster: start, list, stop and find, as a user at a shell sees them.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
export TMPDIR=$tap_work/tmp
mkdir "$TMPDIR"
chmod 1777 "$TMPDIR"

folder_of() { sed -n 's/.*cluster stop //p' <<<"$1"; }
ask() { psql -X -q -A -t -h "$1" -U postgres -c "$2" postgres; }
nothing_left() {
    run scripts/test-leftovers "$TMPDIR"
    is_status 0 "$1"
}

# A server stays after the command that started it, also when its output is a pipe that is read to the end.
out=$("$keybench" cluster start --set shared_buffers=16MB --set work_mem=2MB | cat)
folder=$(folder_of "$out")
tap_cleanup+=("'$keybench' cluster stop '$folder' 2>/dev/null")
[[ $folder == "$TMPDIR"/keybench-* ]]
ok $? 'start says where the server is'
holds "$out" "psql -h $folder -U postgres postgres" 'and how to connect'
equal "$(ask "$folder" 'SHOW shared_buffers')" 16MB 'a setting'
equal "$(ask "$folder" 'SHOW work_mem')" 2MB 'another'
equal "$(ask "$folder" 'SHOW listen_addresses')" '' 'nobody can reach it over a network'

run "$keybench" cluster list
is_status 0 list
holds "$(grep -F "$folder" <<<"$out")" kept 'list: the kept server'
run "$keybench" cluster list --json
is_status 0 'list --json'
run python3 -c '
import json, sys
entry, = [e for e in json.loads(sys.argv[1]) if e["folder"] == sys.argv[2]]
print(entry["state"], entry["kept"], entry["server_pid"] > 1, entry["owner_pid"])' "$out" "$folder"
equal "$out" 'kept True True 0' 'list --json: its fields'

run "$keybench" doctor -h "$folder" -U postgres -d postgres
is_status 0 'a kept server is fit for a run'
run "$keybench" cluster stop "$folder"
is_status 0 stop
nothing_left 'stop leaves nothing'
run "$keybench" cluster stop "$folder"
is_status 2 'a second stop'
holds "$err" 'cluster list' 'a second stop says what to do'

# Refusals leave nothing.
run "$keybench" cluster start --set no_such_setting=1
is_status 3 'an unknown setting'
holds "$err" 'unrecognized configuration parameter "no_such_setting"' 'an unknown setting, in the words of the server'
run "$keybench" cluster start --set shared_buffers
is_status 2 'a setting without a value'
run "$keybench" cluster start --set listen_addresses=*
is_status 2 'a setting that would open the server'
run "$keybench" cluster start --pg-bindir /etc
is_status 2 'a folder without a server'
run "$keybench" cluster stop
is_status 2 'stop without a folder'
run "$keybench" cluster stop "$TMPDIR"
is_status 2 'stop with a folder of somebody else'
nothing_left 'refusals leave nothing'
[[ -d $TMPDIR ]]
ok $? 'and remove nothing'

# The template that data folders are copied from: used again, made anew when it is damaged; what a killed making has left goes
# with the next start.
bindir=$("$keybench" cluster find)
with_cache() { # started and stopped; what was said is in $out and $err
    run env KEYBENCH_CACHE="$tap_work/cache" "$keybench" cluster start --pg-bindir "$bindir"
    if ((status == 0)); then
        env KEYBENCH_CACHE="$tap_work/cache" "$keybench" cluster stop "$(folder_of "$out")" >/dev/null
    fi
}
chmod 755 "$tap_work"
with_cache
is_status 0 'a start with an empty cache'
template=$(compgen -G "$tap_work/cache/templates/[0-9]*")
equal "$(wc -l <<<"$template")" 1 'leaves one template'
made=$(stat -c %i "$template")
with_cache
equal "$status $(stat -c %i "$template")" "0 $made" 'the next start uses it'
for damage in 'truncate -s 8192' rm; do
    victim=$(find "$template/data/base" -type f -size +64k | sort | head -n 1)
    $damage "$victim"
    made=$(stat -c %i "$template")
    mkdir "$tap_work/cache/templates/.new-abcdef"
    with_cache
    is_status 0 "a start with a damaged template ($damage)"
    [[ $(stat -c %i "$template") != "$made" && $(stat -c %s "$victim") -gt 65536 ]]
    ok $? 'it is made anew'
    equal "$(ls -A "$tap_work/cache/templates")" "$(basename "$template")" 'and nothing else is in the cache'
done
(
    mkdir "$tap_work/cache/templates/.new-ghijkl"
    exec 8<"$tap_work/cache/templates/.new-ghijkl"
    flock 8
    with_cache
    [[ -d $tap_work/cache/templates/.new-ghijkl ]]
)
ok $? 'a template that somebody makes meanwhile is left alone'

# Ctrl-C, a polite kill, and kill -9, each to the whole process group as a terminal or a job control would send it: sooner or
# later in the start of a server.
for signal in INT TERM KILL; do
    for delay in 0.02 0.1 0.3; do
        run timeout --foreground --signal "$signal" --kill-after 60 "$delay" "$keybench" cluster start
        if ((status == 0)); then # it was faster
            "$keybench" cluster stop "$(folder_of "$out")"
        fi
        for ((i = 0; i < 300; i++)); do
            scripts/test-leftovers "$TMPDIR" >/dev/null && break
            sleep 0.1
        done
        nothing_left "SIG$signal after $delay s leaves nothing"
    done
done

# Finding.
run "$keybench" cluster find -v
is_status 0 find
[[ -x $out/initdb && -x $out/postgres ]]
ok $? 'find prints the folder of the programs'
holds "$err" 'found by' 'find -v says how'
run "$keybench" cluster find --min-major 99
is_status 3 'find without success'
equal "$out" '' 'find without success prints nothing'
holds "$err" KEYBENCH_PG_BINDIR 'find without success says what to do'
done_testing
