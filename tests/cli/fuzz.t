#!/usr/bin/env bash
# Each fuzz target for a short while, from the files of this repository: no crash, no leak, no endless loop.
# FUZZ_SECONDS makes it longer. One input may take a minute, for it may be a sweep of 10,000 points.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit

mkdir "$tap_work/seeds"
cp scenarios/*.json "$tap_work/seeds"
for program in build/fuzz/fuzz_*; do
    [[ -x $program && -f $program ]] || continue
    mkdir -p "$tap_work/new"
    (
        cd "$tap_work" || exit
        exec "$OLDPWD/$program" -max_total_time="${FUZZ_SECONDS:-15}" -timeout=60 -rss_limit_mb=1024 -print_final_stats=0 \
            new seeds
    ) >"$tap_work/out" 2>"$tap_work/err"
    ok $? "${program##*/}: no finding"
    rm -r "$tap_work/new"
done
((tap_count > 0))
ok $? 'there are fuzz targets'
done_testing
