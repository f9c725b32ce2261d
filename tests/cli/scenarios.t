#!/usr/bin/env bash
# Scenarios for a decision against their reference results, and a sweep over settings that a build may not have.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}

as_before() { # SCENARIO [OPTION]...: quick forms, whose counts are the same on every run
    run "$keybench" run "$1-quick" "${@:2}" --baseline "results/reference/$1-quick-pg18.json" -o "$tap_work/results" --charts none
    is_status 0 "$1: as in the reference result"
}

as_before growth
as_before children --only copies=1
as_before checkpoint-cadence --only checkpoint=10000
as_before payload --only bytes=1000
as_before settings-full-page-writes

# Results that documents quote are of today's scenarios, hold their bounds, and can stand as a baseline: they are whole and clean.
for result in results/reference/*.json; do
    name=$(basename "$result" .json)
    name=${name%-pg*}
    holds "$(cat "$result")" "$(sha256sum "scenarios/$name.json" | cut -d' ' -f1)" "$result: of $name as it is now"
    run "$keybench" check "$result" --baseline "$result"
    is_status 0 "$result: the bounds of $name hold, and it is a baseline"
done

# A value that no build has stands for those that some lack.
python3 - "$tap_work/lacks.json" "$tap_work/alone.json" <<'END'
import json, sys
scenario = json.load(open("scenarios/settings-compression-quick.json"))
scenario["bounds"] = []
scenario["settings"] = {"wal_compression": ["off", "middle-out"]}
json.dump(scenario, open(sys.argv[1], "w"))
scenario["settings"] = {"wal_compression": "middle-out"}
del scenario["axes"], scenario["charts"]
json.dump(scenario, open(sys.argv[2], "w"))
END
run "$keybench" run "$tap_work/lacks.json" --only design=bigint -o "$tap_work/results" --charts none
is_status 0 'a value that the build lacks does not fail a sweep'
holds "$err" 'skipped: wal_compression=middle-out: ' 'it is skipped'
holds "$err" 'does not take wal_compression "middle-out"' 'with the reason'
holds "$out" 'bigint at wal_compression=middle-out failed' 'and is a hole in the table'
run "$keybench" run "$tap_work/alone.json" -o "$tap_work/results" --charts none
is_status 3 'without a sweep such a server is not fit'
holds "$err" 'Available values: ' 'and says what it takes'
# How writers meet is up to the machine, so only the scenarios' own bounds hold.
for name in writers-quick serializable-quick; do
    run "$keybench" run "$name" -o "$tap_work/results" --charts none
    is_status 0 "$name: all bounds hold"
done
done_testing
