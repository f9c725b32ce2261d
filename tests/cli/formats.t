#!/usr/bin/env bash
# The formats' scenarios against their reference results, and the SQL that the lab and the scenarios share.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}

functions() { # FILE: the base32 functions and the remark between them
    sed -n '/^create function base32_encode/,/^create function v7_of/p' "$1" | sed '/^create function v7_of/d' | sed -e '${/^$/d}'
}
functions scenarios/sql/base32.sql >"$tap_work/shared.sql"
equal "$(functions scenarios/lab/formats.sql)" "$(<"$tap_work/shared.sql")" "the lab's base32 functions are those of the scenarios"
equal "$(grep -c '^create function' "$tap_work/shared.sql")" 2 'both of them'

for scenario in public-id generator-quality; do
    run "$keybench" run "$scenario" --baseline "results/reference/$scenario-pg18.json" -o "$tap_work/results" --charts none
    is_status 0 "$scenario: as in the reference result"
done

counts='import json, sys
for design in json.load(open(sys.argv[1]))["designs"]:
    for batch in design["phases"][1]["batches"]:
        print(design["name"], batch["rows"], batch["wal_bytes"], batch["wal_record_count"], batch["fpi_count"])'
python3 -c "$counts" results/reference/generator-quality-pg18.json >"$tap_work/reference"
python3 -c "$counts" "$tap_work"/results/generator-quality-*.json >"$tap_work/counts"
equal "$(wc -l <"$tap_work/counts")" 70 'seventy batches of ids that keybench minted'
equal "$(<"$tap_work/counts")" "$(<"$tap_work/reference")" 'are the same to the byte'
done_testing
