#!/usr/bin/env bash
# Every claim of the lab can fail: each one's condition is turned round by the edits that tests/lab/mutations.tsv has for
# it, and it must then be FAIL: not ok, not skipped, not an error of the lab. Claims do not see each other, so the first
# edit of every claim is made at once and the mutated chapters run once; then the second of those that have one, and so
# on. KEYBENCH_LAB_CLAIMS names claims to try alone.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}

# Edits the copies in FOLDER by each claim's edit number ROUND, prints the claims that were edited, and on standard
# error whatever does not fit: a claim without an edit, an edit without its text.
cat >"$tap_work/mutate.py" <<'PYTHON'
import collections
import pathlib
import re
import sys

table, folder, number = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
edits = collections.defaultdict(list)
for line in table.read_text().splitlines():
    if line and not line.startswith("#"):
        claim, find, replacement = line.split("\t")
        edits[claim].append((find.replace("\\n", "\n"), replacement.replace("\\n", "\n")))
seen = set()
for path in sorted(folder.glob("*.sql")):
    parts = re.split(r"(?m)^(?=--@ (?:claim|setup)\b)", path.read_text())
    for i, part in enumerate(parts):
        match = re.match(r"--@ claim ([a-z0-9-]+):", part)
        if not match:
            continue
        claim = match[1]
        seen.add(claim)
        if claim not in edits:
            print(f"no mutation for {claim}", file=sys.stderr)
        for find, _ in edits[claim]:
            if find not in part:
                print(f"not in {claim}: {find}", file=sys.stderr)
        if number <= len(edits[claim]):
            parts[i] = part.replace(*edits[claim][number - 1], 1)
            print(claim)
    path.write_text("".join(parts))
for claim in edits.keys() - seen:
    print(f"a mutation for {claim}, which is no claim", file=sys.stderr)
PYTHON
# One line a claim: its id, how it went, and what was wrong.
cat >"$tap_work/verdicts.py" <<'PYTHON'
import json
import re
import sys

for chapter in json.load(open(sys.argv[1]))["chapters"]:
    for claim in chapter["claims"]:
        how, message = claim["verdict"], claim.get("reason", "")
        if how == "fail":
            message = claim["failure"]["message"]
            # A statement that the server does not understand proves nothing about the claim.
            if claim["failure"]["kind"] == "statement" and re.match(r"unexpected error (42|0A|XX)", message):
                how = "broken"
        print(claim["id"], how, " ".join(message.split())[:150], sep="\t")
PYTHON

wanted() { # CLAIM: whether it is to be tried
    [[ -z ${KEYBENCH_LAB_CLAIMS:-} || " $KEYBENCH_LAB_CLAIMS " == *" $1 "* ]]
}
try_round() { # NUMBER CLAIM...
    local round=$1 claim how message
    shift
    run env -u PGHOST -u PGHOSTADDR -u PGSERVICE "$keybench" lab --json --quiet "$tap_work/lab-$round"/*.sql "$@"
    is_status 1 "edit $round of $# claims"
    python3 "$tap_work/verdicts.py" "$tap_work/out" >"$tap_work/verdicts"
    while IFS=$'\t' read -r claim how message; do
        [[ $how == fail ]]
        ok $? "$claim can fail: $message"
    done <"$tap_work/verdicts"
}

cp scenarios/*.json "$tap_work" # chapters run some of them as ../NAME.json
for ((round = 1; ; round++)); do
    cp -r scenarios/lab "$tap_work/lab-$round"
    run python3 "$tap_work/mutate.py" tests/lab/mutations.tsv "$tap_work/lab-$round" "$round"
    ((round > 1)) || equal "$err" '' 'every claim has a mutation, and every mutation finds its text in its claim'
    [[ -n $out ]] || break
    claims=()
    for claim in $out; do
        ! wanted "$claim" || claims+=("$claim")
    done
    ((${#claims[@]} == 0)) || try_round "$round" "${claims[@]}"
done
done_testing
