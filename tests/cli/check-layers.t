#!/usr/bin/env bash
# scripts/check-layers and scripts/check-size on small made-up trees: one fault each, and none.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0

is() { # GOT EXPECTED LABEL
    count=$((count + 1))
    if [[ $1 == "$2" ]]; then
        echo "ok $count - $3"
    else
        echo "not ok $count - $3"
        printf 'got:\n%s\nexpected:\n%s\n' "$1" "$2" | sed 's/^/# /'
    fi
}

put() { # FILE LINE...
    mkdir -p "$work/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$work/$1"
}

header() { # ROOM FILE LINE...: with its include guard
    local guard
    guard=$(tr '[:lower:]' '[:upper:]' <<<"KB_${1}_${2}_H")
    put "src/$1/$2.h" "#ifndef $guard" "#define $guard" "${@:3}" '#endif'
}

good_tree() {
    rm -rf "$work/src" "$work/tests"
    mkdir "$work/tests"
    header base diag
    header db conn '#include "base/diag.h"'
    put src/db/conn.c '#include "db/conn.h"' '#include <libpq-fe.h>'
    put src/cli/command.c '#include "db/conn.h"'
    put src/main.c '#include "base/diag.h"'
}

layers() { # its output and exit status
    local status=0
    scripts/check-layers "$work" || status=$?
    echo "status $status"
}

finds() { # TEXT LABEL: the check's only fault
    is "$(layers)" "$1"$'\nstatus 1' "$2"
    good_tree
}

good_tree
is "$(layers)" 'status 0' 'a tree without a fault: silent'

put src/base/text.c '' '#  include "db/conn.h"'
finds 'src/base/text.c:2: room "base" may not include "db/conn.h"' 'a lower room includes a higher one'
put src/main.c '#include "db/conn.h"'
finds 'src/main.c:1: room "main" may not include "db/conn.h"' 'main.c includes more than cli and base'
put src/keys/format.c '#include <stdint.h>' '#include <postgresql/libpq-fe.h>'
finds 'src/keys/format.c:2: postgresql/libpq-fe.h belongs to room "db" alone' 'libpq outside db'
put src/base/text.c '#include "diag.h"'
finds 'src/base/text.c:1: "diag.h" is not written as "room/file.h"' 'no room in the name'
put src/attic/old.c ''
finds 'src/attic/old.c:1: its folder is no room in the table of scripts/check-layers' 'an unknown folder'
put src/keys/conn.c ''
finds 'src/keys/conn.c:1: room "db" has a file of this name too' 'a file name twice'
put src/base/mem.h '#ifndef KB_MEM_H' '#define KB_BASE_MEM_H' '#endif'
finds 'src/base/mem.h:1: expected the include guard KB_BASE_MEM_H' 'a wrong guard'
put src/base/mem.h 'int x;'
finds 'src/base/mem.h:1: no include guard' 'no guard'
header base rng '#include "base/text.h"'
header base text '#include "base/rng.h"'
finds 'src/base/text.h:3: include cycle: src/base/rng.h src/base/text.h src/base/rng.h' 'a cycle of headers'

for length in 8 4 5; do
    put "src/base/f$length.c" '' 'int' "f$length(void)" '{' "$(yes '    ;' | head -n $((length - 3)))" '}' 'int x;'
done
put tests/long.c "$(yes 'int x;' | head -n 501)"
is "$(scripts/check-size "$work")" 'Longest functions, in lines:
     8  src/base/f8.c:3  f8
     5  src/base/f5.c:3  f5
     4  src/base/f4.c:3  f4
Files over 500 lines:
   501  tests/long.c' 'check-size: the longest first, and the long file'

echo "1..$count"
