#!/usr/bin/env bash
# keybench compare and check: exit statuses, every output as another program reads it, and the gate itself: minted keys measured now on
# PostgreSQL 18 and on Debian's 15 are what the committed baselines say, to the byte. Also the pipelines of docs/ci.md.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
base18=results/reference/minted-quick-pg18.json
base15=results/reference/minted-quick-pg15.json
export TMPDIR=$tap_work

changed() { # NAME CHANGE: a copy of the 15 baseline, changed by Python that sees it as r
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); exec(sys.argv[3]); json.dump(r, open(sys.argv[2], "w"))' \
        "$base15" "$tap_work/$1.json" "$2"
}
second='p = r["designs"][1]["phases"][1]'

# ---- Saved results ----

run "$keybench" check "$base15"
is_status 0 'the bounds of a saved result'
holds "$out" 'all 22 hold' 'all of them'
run "$keybench" check "$base15" --baseline "$base18"
is_status 0 'the baseline of another major'
holds "$out" 'all 46 hold' 'and four figures of each design and phase'
holds "$out" 'second/uuidv4/wal_bytes          pass      115,737,113 bytes   115,737,113 exactly' 'to the byte'
run "$keybench" check - --baseline "$base18" --quiet
is_status 2 'no result on standard input'
"$keybench" check - --quiet <"$base15" >"$tap_work/out" 2>"$tap_work/err"
ok $? 'a result from standard input'
equal "$(<"$tap_work/out")" '' 'quiet says nothing when all holds'

changed byte "$second; p['wal_bytes'] += 1; p['batches'][2]['wal_bytes'] += 1"
run "$keybench" check "$tap_work/byte.json" --baseline "$base18" --quiet
is_status 1 'one byte more'
holds "$err" '2 of 46 checks do not hold: exact-bytes-v4, baseline/second/uuidv4/wal_bytes' 'the message names the checks'
holds "$out" 'second/uuidv4/wal_bytes: off by +1; batch 3 is the first that differs: +1' 'and the table the batch'
run "$keybench" check "$tap_work/byte.json" -b "$base18" -t wal=0.5 --quiet
is_status 1 'a tolerance is of the baseline, not of the bounds'
equal "$(grep -c FAIL <<<"$out")" 1 'one of the two is left'
changed swap "$second; p['batches'][2]['fpi_count'] += 1; p['batches'][3]['fpi_count'] -= 1"
run "$keybench" check "$tap_work/swap.json" -b "$base18"
is_status 1 'two batches that make up for each other'
changed design 'del r["designs"][2]'
run "$keybench" check "$tap_work/design.json" -b "$base18"
is_status 1 'a design that is missing'
holds "$out" 'design "uuidv7" is not in the result' 'is named'
changed figure "$second; p['fpi_count'] = None"
run "$keybench" check "$tap_work/figure.json" -b "$base18"
is_status 1 'a figure that is missing'
changed interrupted 'r["status"] = "interrupted"; r["scenario"]["document"]["bounds"] = []'
run "$keybench" check "$tap_work/interrupted.json"
is_status 1 'an interrupted run without bounds'
run "$keybench" check "$base18" -b "$tap_work/interrupted.json"
is_status 2 'an interrupted baseline'
changed tainted 'r["findings"] = [{"kind": "checkpoint", "design": "uuidv4", "repeat": 1, "phase": "second", "batch": 2, "detail": "x"}]'
run "$keybench" check "$tap_work/tainted.json" -b "$base18"
is_status 1 'a contaminated run'
holds "$out" 'second/uuidv4: the result is contaminated: checkpoint in batch 2' 'says what happened'
run "$keybench" compare "$base18" "$tap_work/tainted.json" --format csv
is_status 0 'comparing never fails'
equal "$(grep -c '^[^,]*,uuidv4,second,wal_bytes,.*,,,,0,0,not comparable,' <<<"$out")" 1 'but a contaminated figure has no ratio'
changed repeat 'r["designs"][0]["repeat"] = 10**15'
run "$keybench" check "$tap_work/repeat.json"
is_status 2 'a repeat that no run can have'
changed bare 'r["scenario"]["document"]["bounds"] = []'
run "$keybench" check "$tap_work/bare.json"
is_status 2 'nothing to check'
holds "$err" 'nothing to check' 'is no pass'

run "$keybench" check
is_status 2 'no result'
run "$keybench" check /nonexistent.json
is_status 2 'a result that is not there'
run "$keybench" check "$base15" -b /nonexistent.json
is_status 2 'a baseline that is not there'
run "$keybench" check scenarios/minted-quick.json
is_status 2 'a file that is no result'
run "$keybench" check "$base15" -t wal=0
is_status 2 'a tolerance without a baseline'
run "$keybench" check "$base15" -b "$base18" -t elapsed_ms=5
is_status 2 'a tolerance for times'
run "$keybench" check "$base15" --tap --json
is_status 2 'two kinds of output at once'
run "$keybench" check "$base15" --junit /nonexistent/x.xml
is_status 3 'a report that cannot be written'
run "$keybench" check "$base15" --junit ''
is_status 2 'a report without a name'
holds "$err" 'option "--junit" needs FILE, got ""' 'a report without a name'
run "$keybench" compare "$base15"
is_status 2 'nothing to compare with'
run "$keybench" compare "$base15" "$base18" --format html
is_status 2 'a format that comparisons have not'

# ---- Other programs ----

run "$keybench" check "$tap_work/byte.json" -b "$base18" --tap
is_status 1 'TAP'
cp "$tap_work/out" "$tap_work/tap"
run prove --exec cat "$tap_work/tap"
holds "$out" 'Failed 2/46 subtests' 'prove reads it'
run "$keybench" check "$tap_work/byte.json" -b "$base18" --json
is_status 1 'JSON'
equal "$(python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["format"], len(r["checks"]), r["failure_count"], r["all_hold"])' \
    <"$tap_work/out")" 'keybench-check/1 46 2 False' 'Python reads it'
run "$keybench" check "$tap_work/byte.json" -b "$base18" --quiet --junit "$tap_work/junit.xml"
is_status 1 'JUnit'
equal "$(python3 -c 'import sys, xml.etree.ElementTree as e; s = e.parse(sys.argv[1]).getroot()
print(s.get("tests"), s.get("failures"), len(s.findall(".//testcase")), len(s.findall(".//failure")))' "$tap_work/junit.xml")" \
    '46 2 46 2' 'Python reads it'
run env GITHUB_STEP_SUMMARY="$tap_work/summary" "$keybench" check "$tap_work/byte.json" -b "$base18" --github
is_status 1 'GitHub'
equal "$(grep -c '^::error title=keybench minted-quick::' <<<"$out")" 2 'an annotation for each failure'
run env GITHUB_STEP_SUMMARY="$tap_work/summary" "$keybench" check "$base15" -b "$base18" --github
equal "$(grep -c '^# Check: ' "$tap_work/summary")" 2 'two steps append to one summary'
equal "$(grep -c '^::' <<<"$out")" 0 'no annotation when all holds'
run env GITHUB_STEP_SUMMARY=/nonexistent/summary "$keybench" check "$base15" --github
is_status 3 'a summary that cannot be written'

run "$keybench" compare "$base18" "$base15"
is_status 0 'comparing two majors'
holds "$out" 'data_checksums off, was on' 'what differs between the servers'
equal "$(grep -c worse <<<"$out")" "$(grep -c 'none of them better or worse' <<<"$out")" 'nothing is worse on the older one'
run "$keybench" compare "$base18" "$base15" "$tap_work/byte.json" --format json
equal "$(python3 -c 'import json, sys; r = json.load(sys.stdin)
print([c["verdicts"]["worse"] for c in r["comparisons"]], len({f["metric"] for f in r["comparisons"][0]["figures"]}))' \
    <"$tap_work/out")" '[0, 1] 22' 'as JSON: every metric'
run "$keybench" compare "$base18" "$tap_work/byte.json" --format csv
equal "$(python3 -c 'import csv, sys
print([(r["design"], r["metric"], r["new"]) for r in csv.DictReader(sys.stdin) if r["verdict"] == "worse"])' <"$tap_work/out")" \
    "[('uuidv4', 'wal_bytes', '115737114')]" 'as CSV'
run "$keybench" compare "$base18" "$tap_work/byte.json" --format markdown
holds "$out" '| WAL | 115,737,113 bytes | 115,737,114 bytes | 1.000x | worse |' 'as Markdown'

# ---- The pipelines of docs/ci.md ----

for file in docs/ci/keybench.sh docs/ci/github.yml docs/ci/gitlab.yml; do
    python3 -c 'import sys; document, part = (open(f).read() for f in sys.argv[1:]); sys.exit("\n" + part + "```\n" not in document)' \
        docs/ci.md "$file"
    ok $? "docs/ci.md shows $file as it is"
done
if python3 -c 'import yaml' 2>"$tap_work/err"; then
    commands='import sys, yaml
def texts(value):
    if isinstance(value, str):
        yield value
    for below in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from texts(below)
print("\n".join(t for t in texts(yaml.safe_load(open(sys.argv[1]))) if "keybench.sh" in t))'
    for file in docs/ci/github.yml docs/ci/gitlab.yml; do
        run python3 -c "$commands" "$file"
        is_status 0 "$file is YAML"
        equal "$(wc -l <"$tap_work/out")" 2 'with a job on a throwaway server and one on a service'
    done
    step=$(head -n 1 "$tap_work/out")
else
    skip 'the pipelines are YAML' 'python3 has no yaml'
    step="docs/ci/keybench.sh minted-quick $base18"
fi

# The step of a pipeline, as it stands there, on a throwaway server.
# shellcheck disable=SC2086 # words
run env KEYBENCH="$keybench" KEYBENCH_OUT="$tap_work/ci" GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$tap_work/ci-summary" $step
is_status 0 "$step"
holds "$out" 'all 46 hold' 'PostgreSQL 18 is what its baseline says, to the byte'
holds "$(<"$tap_work/ci/junit.xml")" 'failures="0"' 'JUnit is there'
holds "$(<"$tap_work/ci-summary")" 'all 46 hold' 'and so is the summary'

# Measure and check in one step, on Debian's own server.
if [[ -x /usr/lib/postgresql/15/bin/postgres ]]; then
    run "$keybench" run minted-quick --pg-bindir /usr/lib/postgresql/15/bin -o "$tap_work/fifteen" --charts none --baseline "$base15"
    is_status 0 "Debian's PostgreSQL 15 is what its baseline says"
    holds "$out" 'second/uuidv7/fpi_count          pass                     34   34 exactly' 'to the byte'
    mine=$(compgen -G "$tap_work/fifteen/*.json")
    equal "$(python3 -c 'import json, sys; print([c["name"] for c in json.load(open(sys.argv[1]))["checks"]][-1])' "$mine")" \
        baseline/second/uuidv7/leaf_pages 'the verdicts are in the result'
    printed=$out
    run "$keybench" report "$mine"
    equal "$out" "$printed" 'and in its report'
    run "$keybench" check "$mine" --baseline "$base18" --quiet
    is_status 0 'it holds against the other baseline too'
else
    skip "Debian's PostgreSQL 15" 'it is not installed'
fi

# The same step on a server that is there already, as a service container is.
run "$keybench" cluster start
is_status 0 'a server that stays'
socket=$(sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' <<<"$out" | head -n 1)
tap_cleanup+=("'$keybench' cluster stop '$socket' >'$tap_work/stop' 2>&1")
run env KEYBENCH="$keybench" KEYBENCH_OUT="$tap_work/service" PGHOST="$socket" PGUSER=postgres PGDATABASE=postgres \
    docs/ci/keybench.sh minted-quick "$base18"
is_status 0 'the step on a server that is there'
holds "$out" 'all 46 hold' 'it is what the baseline says'
run env KEYBENCH="$keybench" KEYBENCH_OUT="$tap_work/service" PGHOST="$socket" PGUSER=postgres PGDATABASE=postgres \
    docs/ci/keybench.sh table-13-1-quick "$base18"
is_status 1 'a baseline of another scenario fails'
run env KEYBENCH="$keybench" KEYBENCH_OUT="$tap_work/service" PGHOST=/nonexistent docs/ci/keybench.sh
ok $((status == 0)) 'a server that is not there ends the step'

run "$keybench" run minted-quick table-13-1-quick --baseline "$base18" -o "$tap_work/two"
is_status 2 'one baseline for two scenarios'
run "$keybench" run minted-quick --baseline /nonexistent.json -o "$tap_work/none"
is_status 2 'a baseline that is not there'
[[ ! -e $tap_work/none ]]
ok $? 'ends the run before it begins'
done_testing
