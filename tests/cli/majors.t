#!/usr/bin/env bash
# Minted keys on every server of this machine: all counts are the same, whatever the major version, but for what docs/results.md says; and the
# quick scenario, with keys made by the server where it can, holds its bounds on each.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}

# What keybench itself would take, the system's servers, and those in the cache folder; each major once.
declare -A of_major
bindirs=()
seen=
for bindir in "$("$keybench" cluster find)" /usr/lib/postgresql/*/bin "${KEYBENCH_CACHE:-/var/cache/keybench}"/servers/*/bin; do
    [[ -x $bindir/postgres ]] || continue
    major=$("$bindir/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    [[ $seen == *" $major "* ]] && continue
    seen+=" $major "
    bindirs+=("$bindir")
    of_major[$major]=$bindir
done
((${#bindirs[@]} >= 2))
ok $? "there are servers of two majors at least: $seen"

# same NAME LABEL: keep the result as the base of that name, or compare it with the base.
same() {
    if [[ -d $tap_work/$1 ]]; then
        run scripts/same-counts "$tap_work/$1"/*.json "$tap_work"/results/*.json
        is_status 0 "$2"
        rm -r "$tap_work/results"
    else
        mv "$tap_work/results" "$tap_work/$1"
    fi
}

# measure NAME OPTIONS BINDIR: a quick scenario, or a part of it.
measure() {
    run "$keybench" run "$1-quick" --only "$2" --pg-bindir "$3" -o "$tap_work/results" --charts none
    is_status 0 "$1, $("$3/postgres" --version)"
}

counts='import json, sys
for design in json.load(open(sys.argv[1]))["designs"]:
    for phase in design["phases"][1:]:
        for batch in phase["batches"]:
            print(design["name"], phase["name"], batch["rows"], batch["wal_bytes"], batch["wal_record_count"], batch["fpi_count"])'
for bindir in "${bindirs[@]}"; do
    name=$("$bindir/postgres" --version)
    run "$keybench" run minted-quick --pg-bindir "$bindir" -o "$tap_work/results" --charts none
    is_status 0 "$name, minted keys"
    python3 -c "$counts" "$tap_work"/results/minted-quick-*.json >"$tap_work/counts"
    equal "$(wc -l <"$tap_work/counts")" 30 "$name: thirty batches"
    [[ -e $tap_work/first ]] || cp "$tap_work/counts" "$tap_work/first"
    equal "$(<"$tap_work/counts")" "$(<"$tap_work/first")" "$name: every batch is the same to the byte"
    same minted "$name: and every other count"
    run "$keybench" run table-13-1-quick --pg-bindir "$bindir" -o "$tap_work/results" --charts none
    is_status 0 "$name, the quick scenario's bounds"
    rm -rf "$tap_work/results"
done
# The figures that servers of 13 to 19 were seen to give, by hand.
equal "$(awk '$1 == "bigint" { wal += $4; fpi += $6 } END { printf "%d %d", wal, fpi }' "$tap_work/first")" '27357510 32' \
    'bigint: 27,357,510 bytes and 32 images in ten batches'
equal "$(awk '$1 ~ /v7/ { wal += $4; fpi += $6 } END { printf "%d %d", wal, fpi }' "$tap_work/first")" '30196742 34' \
    'UUIDv7: 30,196,742 bytes and 34 images in ten batches'

# Deletes, vacuums, reindexes, foreign keys and cold reads: two runs on one server, and the newest against the oldest that says what its WAL
# is made of.
newest=$(printf '%s\n' "${!of_major[@]}" | sort -n | tail -1)
oldest=$(printf '%s\n' "${!of_major[@]}" | sort -n | awk '$1 >= 15' | head -1)
while read -r name only; do
    measure "$name" "$only" "${of_major[$newest]}"
    same "$name" 'the base'
    measure "$name" "$only" "${of_major[$oldest]}"
    same "$name" "$name: the same on $newest and $oldest"
done <<'END'
deletes choose=random
mixed-history action=reindex
children copies=1,design=uuidv4
reads design=uuidv7
END
measure deletes choose=random "${of_major[$newest]}"
same deletes 'deletes: the same in two runs'
measure growth design=uuidv4 "${of_major[$newest]}"
same growth 'the base'
measure growth design=uuidv4 "${of_major[$newest]}"
same growth 'growth: the same in two runs'

# That the comparison sees what differs.
sed 's/"wal_bytes":\t\([0-9]*\)/"wal_bytes":\t1\1/' "$tap_work"/deletes/*.json >"$tap_work/other.json"
run scripts/same-counts "$tap_work"/deletes/*.json "$tap_work/other.json"
is_status 1 'other counts are not the same'
holds "$out" 'wal_bytes: ' 'and it says which'
done_testing
