#!/usr/bin/env bash
# Minted keys on every server of this machine: WAL bytes, records and full-page images of every batch are the same to the byte, whatever
# the major version; and the quick scenario, with keys made by the server where it can, holds its bounds on each.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}

# What keybench itself would take, the system's servers, and those in the cache folder; each major once.
bindirs=()
seen=
for bindir in "$("$keybench" cluster find)" /usr/lib/postgresql/*/bin "${KEYBENCH_CACHE:-/var/cache/keybench}"/servers/*/bin; do
    [[ -x $bindir/postgres ]] || continue
    major=$("$bindir/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    [[ $seen == *" $major "* ]] && continue
    seen+=" $major "
    bindirs+=("$bindir")
done
((${#bindirs[@]} >= 2))
ok $? "there are servers of two majors at least: $seen"

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
    rm -r "$tap_work/results"
    equal "$(wc -l <"$tap_work/counts")" 30 "$name: thirty batches"
    [[ -e $tap_work/first ]] || cp "$tap_work/counts" "$tap_work/first"
    equal "$(<"$tap_work/counts")" "$(<"$tap_work/first")" "$name: every batch is the same to the byte"
    run "$keybench" run table-13-1-quick --pg-bindir "$bindir" -o "$tap_work/results" --charts none
    is_status 0 "$name, the quick scenario's bounds"
    rm -rf "$tap_work/results"
done
# The figures that servers of 13 to 19 were seen to give, by hand.
equal "$(awk '$1 == "bigint" { wal += $4; fpi += $6 } END { printf "%d %d", wal, fpi }' "$tap_work/first")" '27357510 32' \
    'bigint: 27,357,510 bytes and 32 images in ten batches'
equal "$(awk '$1 ~ /v7/ { wal += $4; fpi += $6 } END { printf "%d %d", wal, fpi }' "$tap_work/first")" '30196742 34' \
    'UUIDv7: 30,196,742 bytes and 34 images in ten batches'
done_testing
