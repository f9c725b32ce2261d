#!/usr/bin/env bash
# keybench advise: answers to options and to the interview, designs that a real server takes, claims that the lab has.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
export TMPDIR=$tap_work/tmp
mkdir -m 1777 "$TMPDIR"

field() { # JSON EXPRESSION: of the parsed value r
    python3 -c 'import json, sys; r = json.loads(sys.argv[1]); print(eval(sys.argv[2]))' "$1" "$2"
}

run "$keybench" advise
is_status 2 'no facts, and no terminal to ask on'
holds "$err" 'nothing is known' 'says why'
equal "$out" '' 'and nothing else'
run "$keybench" advise --json
is_status 2 'no facts for JSON'
run "$keybench" advise --writers lots
is_status 2 'a word that there is not'
holds "$err" '"lots"' 'is named'
run "$keybench" advise --existing uuid4
holds "$err" 'Did you mean "uuidv4"?' 'a slip of the pen'
run "$keybench" advise --existing none
is_status 0 'no keys yet, and nothing else to say'
holds "$out" 'id bigint generated always as identity' 'a counter will do'

run "$keybench" advise --public-urls
is_status 0 'an advice'
first=$out
run "$keybench" advise --public-urls --writers one --existing none
equal "$out" "$first" 'the same facts said in more words give the same advice'
holds "$out" 'results/reference/table-13-1-pg18.json' 'the price names its result'
run "$keybench" advise --json --public-urls --hide-creation-time
is_status 0 'an advice as JSON'
equal "$(field "$out" 'r["format"], [x["column"] for x in r["price"]["columns"] if x["chosen"]]')" \
    "('keybench-advice/1', ['id', 'public_id'])" 'what is priced'
second=$(python3 - results/reference/table-13-1-pg18.json <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
print([p["wal_bytes"] for d in r["designs"] if d["name"] == "bigint" for p in d["phases"]])
END
)
equal "$(field "$out" '[x["million_rows_wal_bytes"] for x in r["price"]["columns"][0]["wal"]]')" "$second" \
    'WAL is that of the result'
run bash -c '"$1" advise --writers one >/dev/full' - "$keybench"
is_status 3 'a full disk'

# ---- The interview ----

on_terminal() { # ANSWERS ARGUMENT...: standard input is a terminal, the others are not
    python3 -c '
import os, pty, subprocess, sys
leader, terminal = pty.openpty()
os.write(leader, sys.argv[1].encode())
sys.exit(subprocess.run(sys.argv[2:], stdin=terminal).returncode)' "$1" "$keybench" advise "${@:2}"
}
run on_terminal $'n\nn\nn\nn\ny\ny\nn\nn\nn\nn\nn\n'
is_status 0 'an interview'
holds "$err" 'Are ids seen in URLs or an API? (y/n)' 'asks on standard error'
interviewed=$out
run "$keybench" advise --public-urls --hide-creation-time
equal "$interviewed" "$out" 'and answers as the options do'
run on_terminal $'y\nno\nmaybe\nn\nn\nn\ny\n'
is_status 0 'a longer answer'
equal "$(grep -o 'meet in one' <<<"$err" | wc -l)" 2 'what is neither yes nor no is asked again'
[[ $err != *'only to mark'* && $err != *'not tell when'* && $err != *'version 4'* ]]
ok $? 'what an answer has settled is not asked'
run on_terminal $'n\n\x04'
is_status 2 'an end before the last question'
equal "$out" '' 'no advice then'

# ---- Claims and designs on a real server ----

situations=(
    '--writers one' '--offline-clients' '--writers many' '--merge-databases' '--client-retries' '--public-urls'
    '--hide-creation-time' '--capability-links' '--existing bigint' '--existing uuidv4' '--existing uuidv7'
    '--existing text' '--offline-clients --hide-creation-time --capability-links'
    '--offline-clients --client-retries --public-urls' '--merge-databases --client-retries --capability-links'
    '--public-urls --client-retries --capability-links --existing bigint'
    '--hide-creation-time --client-retries --existing uuidv4' '--writers many --public-urls --existing bigint'
    '--offline-clients --writers many --merge-databases --client-retries --public-urls --hide-creation-time
        --capability-links --existing text'
)
"$keybench" lab --list | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p' | sort >"$tap_work/claims"
folder=$("$keybench" cluster start | sed -n 's/.*cluster stop //p')
tap_cleanup+=("'$keybench' cluster stop '$folder' 2>/dev/null")
ask() { psql -X -q -A -t -v ON_ERROR_STOP=1 -h "$folder" -U postgres "$@" postgres; }
design_of() { # OPTION...: into a schema of its own, first on the path
    echo 'set client_min_messages = warning; drop schema if exists advice cascade; create schema advice; set search_path = advice;'
    "$keybench" advise --json "$@" | python3 -c 'import json, sys; print(json.load(sys.stdin)["ddl"])'
}
for situation in "${situations[@]}"; do
    read -r -d '' -a options <<<"$situation" || true
    design_of "${options[@]}" >"$tap_work/design.sql"
    run ask -f "$tap_work/design.sql"
    is_status 0 "a server takes the design of ${options[*]}"
    equal "$err" '' 'without a word'
    "$keybench" advise "${options[@]}" | sed -n 's/^ *keybench lab //p' | tr ' ' '\n' | sort -u >"$tap_work/named"
    equal "$(comm -23 "$tap_work/named" "$tap_work/claims")" '' 'the lab has its claims'
done

insert() { # OPTIONS SQL: on a fresh table of that design
    # shellcheck disable=SC2086 # options are words
    { design_of $1; echo "$2"; } >"$tap_work/design.sql"
    run ask -f "$tap_work/design.sql"
}
insert --offline-clients "insert into project values (uuidv7(), uuidv7()), (default, uuidv7())"
holds "$err" 'null value in column "name"' 'columns in their order'
row="(id, account_id, name) values"
insert --offline-clients "insert into project $row (uuidv7(), uuidv7(), 'honest'), (default, uuidv7(), 'made here')"
is_status 0 'honest ids of clients'
insert --offline-clients "insert into project $row (uuidv4(), uuidv7(), 'random')"
holds "$err" honest_id 'a version 4 is refused'
insert --offline-clients "insert into project $row (uuidv7(interval '5 years'), uuidv7(), 'from a fast clock')"
holds "$err" honest_id 'and a fast clock'
insert --client-retries "insert into project (account_id, client_id, name) values (7, '0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 'one'),
    (7, '0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 'again'), (8, '0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 'another')
    on conflict (account_id, client_id) do nothing; select count(*) from project"
equal "$out" 2 'a retry is the same account and the same client_id'
insert --hide-creation-time "insert into project (account_id, name) values (7, 'x');
    select uuid_extract_version(public_id), uuid_extract_timestamp(public_id) is null from project"
equal "$out" '4|t' 'a public id without a time'
insert --capability-links "insert into project (name) values ('x'); insert into project_link
    select sha256('token'), id, 'read', now() + interval '1 day' from project; delete from project; select count(*) from project_link"
equal "$out" 0 'links go with what they open'
run "$keybench" cluster stop "$folder"
is_status 0 'the server is gone'
done_testing
