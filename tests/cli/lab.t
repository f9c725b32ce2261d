#!/usr/bin/env bash
# keybench lab: every claim of our chapters on 18, and on older servers with exactly the skips that their version explains; as a
# role with few rights, twice at once on one server; every form of output; exit statuses; and nothing left behind.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
unset PGHOST PGHOSTADDR PGSERVICE

left_behind() { # the servers of this test are in its own folder
    compgen -G "$TMPDIR/keybench-$(id -u)-*"
}
ask_json() { # FILE EXPRESSION: by python, so that another reader than ours reads it
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); c = {x["id"]: x for y in r["chapters"] for x in y["claims"]}
print(eval(sys.argv[2]))' "$1" "$2"
}
skipped='"\n".join(k + ": " + v["reason"] for k, v in c.items() if v["verdict"] == "skip")'
failed='"\n".join(k + ": " + v["failure"]["message"] for k, v in c.items() if v["verdict"] == "fail")'

export TMPDIR=$tap_work/tmp
mkdir -m 1777 "$TMPDIR"

# What needs a newer server, and nothing else, is skipped on an older one.
version_skips() { # VERSION
    local claim
    for claim in fk newest uuid-variants backfill v7-time v7-monotonic v7-across v7-shift v4-alias; do
        echo "$claim: needs PostgreSQL 18, this is $1"
    done
}
# The claims of the book's chapter, by the names that the reader of the results knows.
claims='ratio-wal-v4 ratio-wal-v7 ratio-dirty dense-append dense-random leaf-pages fpi-batch fk newest
seq-rollback seq-conflict seq-cache seq-crash seq-commit-order seq-always seq-import seq-setval seq-logical identity-no-unique
v7-time v7-monotonic v7-across v7-shift v4-alias v1-mac v3v5-hash late-density text-size text-case clock-input
client-retry upsert-leak upsert-safe graph tank-5 tank-all growth counters-collide idor
b32-vectors b32-order b32-garbage ulid-fit ksuid-wide snowflake-js nanoid-budget typeid-prefix sqids-decode public-size encode-cost lookup-plan
natural-change surrogate-rename surrogate-duplicate surrogate-not-unique concurrent-register fk-not-indexed fk-type uuid-variants
tenant-fk backfill volatile-default migrate-surrogate'

run "$keybench" lab --json --junit "$tap_work/lab.xml"
is_status 0 'the whole lab on throwaway servers'
cp "$tap_work/out" "$tap_work/18.json"
equal "$(ask_json "$tap_work/18.json" "$failed")" '' 'no claim fails'
equal "$(ask_json "$tap_work/18.json" '"\n".join(sorted(c))')" "$(tr ' ' '\n' <<<"$claims" | LC_ALL=C sort)" 'all claims are there'
equal "$(ask_json "$tap_work/18.json" 'r["counts"]["ok"]')" "$(wc -w <<<"$claims")" 'and every one is ok'
equal "$(ask_json "$tap_work/18.json" '[k for k, v in c.items() for r in v["remarks"] if "other wal" in r]')" '[]' \
    'no measurement takes the lab itself for somebody else'
elapsed_ms=$(ask_json "$tap_work/18.json" 'int(r["elapsed_ms"])')
read -r load _ </proc/loadavg
if ((elapsed_ms > 120000 && ${load%.*} > 3)); then
    skip 'in less than two minutes' "the machine is busy with other work (load $load), and it took $elapsed_ms ms"
else
    ok $((elapsed_ms > 120000)) "in less than two minutes ($elapsed_ms ms)"
fi
! left_behind >"$tap_work/out"
ok $? 'nothing is left of its servers'
holds "$err" 'measuring ratios.json: 1,200,000 rows' 'it says before how much it measures'
run python3 -c 'import sys, xml.etree.ElementTree as t; print(len(t.parse(sys.argv[1]).findall(".//testcase")))' "$tap_work/lab.xml"
equal "$out" "$(wc -w <<<"$claims")" 'the JUnit file has every claim'

# Values that are the same on every server and at any time.
value_of() { # CLAIM
    ask_json "$tap_work/18.json" "'; '.join(v['label'] + (v['label'] and ': ') + v['value'] for v in c['$1']['values'])"
}
while IFS='|' read -r claim value; do
    holds "$(value_of "$claim")" "$value" "$claim"
done <<'VALUES'
seq-rollback|kept: 1, 3
seq-setval|next id: 4
surrogate-rename|1, 1, C-204
surrogate-duplicate|Key (number)=(C-204) already exists
late-density|54.08
late-density|767
late-density|460
tank-5|1958825
tank-all|2084
growth|38356
public-size|9728 kB
public-size|6184 kB
public-size|31
b32-vectors|01h455vb4pex5vsknk084sn02q
snowflake-js|2008146458835394561
backfill|20001, 20001
VALUES

# Older servers, each major once.
for bindir in /usr/lib/postgresql/1[4567]/bin "${KEYBENCH_CACHE:-/var/cache/keybench}"/servers/17/bin; do
    [[ -x $bindir/postgres ]] || continue
    run "$keybench" lab --json --quiet --pg-bindir "$bindir"
    is_status 0 "the lab on the server of $bindir"
    cp "$tap_work/out" "$tap_work/old.json"
    equal "$(ask_json "$tap_work/old.json" "$failed")" '' 'no claim fails'
    equal "$(ask_json "$tap_work/old.json" "$skipped" | LC_ALL=C sort)" \
        "$(version_skips "$(ask_json "$tap_work/old.json" 'r["server_version"]')" | LC_ALL=C sort)" \
        'what its version cannot do is skipped, and nothing else'
done

# A user's server, by a role with the rights that measuring needs and a database of its own; two labs at once.
run "$keybench" cluster start
is_status 0 'a server that stays'
socket=$(sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' <<<"$out" | head -n 1)
tap_cleanup+=("'$keybench' cluster stop '$socket' >/dev/null 2>&1")
as_admin() { psql -X -q -A -t -h "$socket" -U postgres -d "${2:-postgres}" -c "$1"; }
as_admin 'create role lab login; grant pg_checkpoint, pg_stat_scan_tables to lab'
as_admin 'create database lab owner lab'
as_admin 'create extension pgstattuple; create extension pageinspect; create extension pgcrypto' lab
left_on_server() {
    as_admin "select 'schema ' || nspname from pg_namespace where nspname like 'keybench%'
              union all select 'database ' || datname from pg_database where datname like 'keybench%'
              union all select 'publication ' || pubname from pg_publication
              union all select 'slot ' || slot_name from pg_replication_slots" lab
}
"$keybench" lab --json --quiet -h "$socket" -U lab -d lab >"$tap_work/first.json" 2>&1 &
first=$!
"$keybench" lab --json --quiet -h "$socket" -U lab -d lab >"$tap_work/second.json" 2>&1 &
second=$!
wait "$first"
ok $? 'one of two labs at once on one server'
wait "$second"
ok $? 'the other'
for which in first second; do
    equal "$(ask_json "$tap_work/$which.json" "$failed")" '' "no claim of the $which fails"
    equal "$(ask_json "$tap_work/$which.json" "$skipped" | LC_ALL=C sort)" \
        "counters-collide: needs a role that may create databases
newest: needs a superuser
seq-crash: needs a server of keybench's own: leave out the connection options
seq-logical: needs a server of keybench's own: leave out the connection options" \
        'what the role may not do is skipped, and nothing else'
done
equal "$(left_on_server)" '' 'nothing is left on the server'

# An interrupt at the start of each claim that makes something outside its schema, and within a measurement.
for claim in counters-collide concurrent-register ratio-wal-v4 fk migrate-surrogate; do
    "$keybench" lab -v -h "$socket" -U postgres -d lab "$claim" >"$tap_work/out" 2>"$tap_work/err" &
    lab=$!
    until grep -q "^$claim" "$tap_work/err" || ! kill -0 "$lab" 2>/dev/null; do sleep 0.01; done
    kill -INT "$lab"
    status=0
    wait "$lab" || status=$?
    is_status 130 "interrupted in $claim"
    equal "$(left_on_server)" '' 'nothing is left on the server'
done
for claim in seq-crash seq-logical; do
    "$keybench" lab -v "$claim" >"$tap_work/out" 2>"$tap_work/err" &
    lab=$!
    until grep -q "^$claim" "$tap_work/err" || ! kill -0 "$lab" 2>/dev/null; do sleep 0.01; done
    kill -TERM "$lab"
    status=0
    wait "$lab" || status=$?
    is_status 130 "ended in $claim"
    equal "$(compgen -G "$TMPDIR/keybench-$(id -u)-*" | grep -cv "^$socket")" 0 'its servers are gone'
done

# Forms of output and choice.
cat >"$tap_work/own.sql" <<'SQL'
--@ chapter own: A chapter of somebody else
--@ claim holds: one # is one
--@ why To see how it reads.
--@ show
select 1;
--@ expect 1
--@ claim breaks: one is two
select 1;
--@ expect 2
--@ claim waits: needs more
--@ needs version 99
select 1;
--@ expect 1
SQL
run "$keybench" lab -h "$socket" -U postgres "$tap_work/own.sql"
is_status 1 'a chapter of the user with a claim that fails'
holds "$out" "ok    holds: one # is one
        1" 'a claim that holds, and the value seen'
holds "$out" "FAIL  breaks: one is two
        $tap_work/own.sql:9: expected \"2\", got \"1\"" 'one that does not, and where'
holds "$out" 'skip  waits: needs more
        (needs PostgreSQL 99, this is 18' 'one that is skipped, and why'
holds "$out" '1 ok, 1 FAIL, 1 skipped' 'the closing count'
holds "$err" '1 of 3 claims does not hold' 'and the error'
run "$keybench" lab -h "$socket" -U postgres "$tap_work/own.sql" holds waits
is_status 0 'two of its claims'
run prove -e "$keybench lab -h $socket -U postgres --tap" "$tap_work/own.sql"
is_status 1 'prove reads its TAP'
holds "$out" 'Failed test:  2' 'and finds the claim that fails'
run "$keybench" lab --list "$tap_work/own.sql"
equal "$out" 'own: A chapter of somebody else
  holds                  one # is one
  breaks                 one is two
  waits                  needs more' 'a list'
run "$keybench" lab --explain holds "$tap_work/own.sql"
holds "$out" 'Why it matters: To see how it reads.' 'a claim explained'
holds "$out" 'select 1;' 'with its SQL'
run "$keybench" lab -v -h "$socket" -U postgres "$tap_work/own.sql" holds
holds "$err" 'holds:5 [main] select 1
        -> 1' 'each statement as it runs'

run "$keybench" list claims
equal "$(grep -c '^  ' <<<"$out")" "$(wc -w <<<"$claims")" 'keybench list claims has every claim'
run "$keybench" list designs
holds "$out" 'late-arrivals: ' 'keybench list designs has every scenario'
holds "$out" '  late                     a week late; key uuid' 'and its designs'

# Wrong usage, bad chapters, no server.
while IFS='|' read -r wanted message words; do
    # shellcheck disable=SC2086 # a list of words
    run "$keybench" lab $words
    is_status "$wanted" "lab $words"
    holds "$err" "$message" '... and what is said'
done <<USAGE
2|Did you mean "seq-always"?|seq-alway
2|both want standard output|--tap --json
2|needs throwaway servers|-h $socket --jobs 2
2|is for a throwaway server|-h $socket --pg-bindir /usr/bin
3|cannot connect|-h $tap_work seq-always
3|nowhere.sql|$tap_work/nowhere.sql
USAGE
echo '--@ chapter own: Own
--@ claim one: a
--@ expct 1' >"$tap_work/bad.sql"
run "$keybench" lab "$tap_work/bad.sql"
is_status 2 'a bad chapter'
holds "$err" "$tap_work/bad.sql:3: unknown directive \"expct\"" 'names file and line'
done_testing
