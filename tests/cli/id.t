#!/usr/bin/env bash
# keybench id: ids of every format, what they tell, estimates and budgets, full disks and closed pipes.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}

field() { # JSON EXPRESSION: of the parsed value r
    python3 -c 'import json, sys; r = json.loads(sys.argv[1]); print(eval(sys.argv[2]))' "$1" "$2"
}

# ---- new ----

formats='bigint uuidv4 uuidv7 ulid ksuid snowflake nanoid typeid sqids uuidv7-counter uuidv7-ms ulid-monotonic
    uuidv1 uuidv1-swapped uuidv6 uuidv3 uuidv5 uuidv8 comb'
for format in $formats; do
    run "$keybench" id new "$format" -n 1000
    is_status 0 "new $format"
    equal "$(sort -u <<<"$out" | wc -l)" 1000 "1,000 different $format"
    run bash -c '"$1" id new "$2" -n 20 | "$1" id show -' - "$keybench" "$format"
    is_status 0 "each $format is explained"
done

run "$keybench" id new uuidv7 --seed 1 --at 2022-02-22T14:22:22-05:00 --step 1ms -n 3
first=$out
run "$keybench" id new uuidv7 --seed 1 --at 2022-02-22T19:22:22Z --step 1ms -n 3
equal "$out" "$first" 'a seed and a time give the same ids again'
holds "$out" 017f22e2-79b0-7000- "the RFC's moment"
holds "$out" 017f22e2-79b2-7000- 'two steps later'
run "$keybench" id new uuidv4 --seed 1
first=$out
run "$keybench" id new uuidv4 --seed 2
[[ $out != "$first" ]]
ok $? 'another seed, another id'
run "$keybench" id new typeid --prefix user
[[ $out =~ ^user_[0-9a-z]{26}$ ]]
ok $? 'a TypeID with its prefix'
run "$keybench" id new nanoid --alphabet 01 --length 64
[[ $out =~ ^[01]{64}$ ]]
ok $? 'a NanoID of an alphabet and length of its own'
run "$keybench" id new snowflake --at 2015-01-01T00:00:01Z --epoch 2015-01-01 --machine 5
equal "$out" $((1000 << 22 | 5 << 12)) 'a Snowflake of another epoch and machine'
run "$keybench" id new snowflake --at @1 --epoch @0
equal "$out" $((1000 << 22)) 'and of the start of 1970'
run "$keybench" id new uuidv1 --mac 9f:6b:de:ce:d8:46
holds "$out" 9f6bdeced846 'a UUIDv1 of a given node'
run "$keybench" id new uuidv7 --at @0
holds "$out" 00000000-0000-7000- 'a UUIDv7 of the start of 1970'
run "$keybench" id new bigint --first 9223372036854775807
equal "$out" 9223372036854775807 'the largest bigint'
run "$keybench" id new sqids --first 4572721
equal "$out" JExTR 'a Sqid goes round a word of the blocklist'
run "$keybench" id new sqids --first 4572721 --blocklist ''
equal "$out" aho1e 'or not'
run "$keybench" id new uuidv5 --name www --first 7 -n 2
first=$out
run "$keybench" id new uuidv5 --name www --first 8
equal "$out" "$(tail -n 1 <<<"$first")" 'a name and number give one id'

run bash -c 'set -o pipefail; "$1" id new uuidv4 -n 1000000 | sort -u | wc -l' - "$keybench"
equal "$out" 1000000 'a million through a pipe'
run bash -c 'set -o pipefail; "$1" id new ksuid -n 1000000 | head -n 1' - "$keybench"
is_status 0 'a million to a reader that takes one'
equal "$err" '' 'quietly'
run bash -c 'set -o pipefail; "$1" id new uuidv4 -n 100000000000 | head -n 1' - "$keybench"
is_status 0 'a reader that has had enough ends it'
equal "$err" '' 'quietly'
if [[ -e /dev/full ]]; then
    run bash -c '"$1" id new uuidv4 -n 100000 >/dev/full' - "$keybench"
    is_status 3 'a full disk'
    holds "$err" 'No space left' 'is said'
    run bash -c '"$1" id new uuidv4 >/dev/full' - "$keybench"
    is_status 3 'a full disk, seen at the end'
fi

bad_new() { # LABEL PART ARGUMENT...
    run "$keybench" id new "${@:3}"
    is_status 2 "$1"
    holds "$err" "$2" "$1"
    equal "$out" '' 'prints no id'
}
bad_new 'no format' 'needs FORMAT'
bad_new 'a slip of the pen' 'uuidv7' uiudv7
bad_new 'two formats' 'takes no argument' uuidv4 uuidv7
bad_new 'no ids' '--count' uuidv4 -n 0
bad_new 'a bad prefix' 'character 1' typeid --prefix User
bad_new 'a bad time' 'no moment' uuidv7 --at yesterday
bad_new 'a step without a time' '--at' uuidv7 --step 1ms
bad_new 'a bad MAC' 'MAC address' uuidv1 --mac 9f:6b:de:ce:d8
bad_new 'a MAC of zeros' 'MAC address' uuidv1 --mac 00:00:00:00:00:00
bad_new 'one number too many' '9223372036854775808 is over' bigint --first 9223372036854775807 -n 2
bad_new 'a number over 64 bits' '--first' bigint --first 9223372036854775808
bad_new 'a clock that runs out' 'too late' uuidv7 --at @9223372035 --step 1s -n 3
bad_new 'a KSUID clock that runs out' 'cannot hold' ksuid --at 2150-06-19T23:21:35Z --step 1s -n 2
bad_new 'a NanoID of nothing' '--length' nanoid --length 0
while read -r format option value; do
    bad_new "$format with --$option" "$format does not take option \"--$option\"" "$format" "--$option" "$value"
done <<'TEXT'
uuidv4 mac 9f:6b:de:ce:d8:46
uuidv4 at 2024-05-01
uuidv7 first 7
uuidv7 name x
nanoid machine 0
ulid alphabet abc
bigint length 10
nanoid blocklist x
comb epoch 2024-05-01
TEXT
holds "$err" '"--epoch" is for snowflake.' 'and says which format does'
bad_new 'a machine too many' '1023' snowflake --machine 1024
bad_new 'a time before the epoch' 'cannot hold' ksuid --at 2000-01-01

# ---- show ----

run "$keybench" id show 017F22E2-79B0-7CC3-98C4-DC0C0C07398F
is_status 0 'show a UUIDv7'
holds "$out" 'UUIDv7' 'its format'
holds "$out" '2022-02-22 19:22:22.000 UTC' 'its time'
holds "$out" '01FWHE4YDGFK1SHH6W1G60EECF' 'as a ULID'
holds "$out" 'to the millisecond' 'what it tells'
run "$keybench" id show 1541815603606036480
holds "$out" 'or        bigint' 'what else it may be'
run "$keybench" id show --json 42 user_01h455vb4pex5vsknk084sn02q
is_status 0 'show as JSON'
equal "$(field "$out" '[x["format"] for x in r]')" "['bigint', 'typeid']" 'formats'
equal "$(field "$out" 'r[0]["counter"]')" 42 'a counter is a number'
equal "$(field "$out" 'r[1]["uuid"], r[1]["prefix"], r[1]["time_s"]')" \
    "('01890a5d-ac96-774b-bcce-b302099a8057', 'user', 1688096058.518)" 'a TypeID in parts'
run bash -c 'printf "42\r\n\n7\n" | "$1" id show -' - "$keybench"
equal "$(grep -c '^  counter' <<<"$out")" 2 'lines of standard input, empty ones skipped'
run bash -c 'printf "42\nnot-an-id!\n" | "$1" id show' - "$keybench"
is_status 2 'a bad line'
holds "$err" 'line 2: ' 'is named'
holds "$err" 'character 10 is "!"' 'with its character'
run "$keybench" id show --json 42 'bad id'
is_status 2 'a bad id among good ones'
equal "$out" '' 'leaves no half JSON'
run "$keybench" id show 5df41881-3aed-3515-88a7-2f4a81gcf09e
is_status 2 'a letter that is no digit'
holds "$err" 'character 31 is "g", not a hexadecimal digit' 'its place'
run bash -c 'yes 42 | "$1" id show - | head -n 1' - "$keybench"
is_status 0 'a reader that has had enough ends it'

# ---- estimate and budget ----

run "$keybench" id estimate 19 40 42 60
is_status 0 'estimate'
holds "$out" 'about 74' 'm + m/k - 1'
run "$keybench" id estimate --json 1000@2024-05-01 39356@2024-05-08
equal "$(field "$out" 'round(r["ids_per_s"] * 604800)')" 38356 'a week of rows'
run "$keybench" id estimate 9223372036854775807
holds "$out" 'the largest 9,223,372,036,854,775,807' 'the largest bigint, to its last digit'
holds "$out" 'about 9,223,372,036,854,775,807, 95% interval 9,223,372,036,854,775,807 to' 'no estimate goes beyond'
run "$keybench" id estimate 100@2024-01-01 50@2024-01-02
is_status 2 'a counter that goes down'
holds "$err" 'id 100 came before the smaller id 50' 'is none'
run "$keybench" id estimate aho1e --json
equal "$(field "$out" 'r["largest"]')" 4572721 "a Sqid's number"
run "$keybench" id estimate 017f22e2-79b0-7cc3-98c4-dc0c0c07398f
is_status 2 'a UUID is no counter'
run "$keybench" id estimate
is_status 2 'no ids'
run "$keybench" id budget --alphabet 64 --length 8
holds "$out" 'about 750 ids' '8 characters of 64'
run "$keybench" id budget
holds "$out" 'about 4.12e14 ids' '21 characters of 64'
run "$keybench" id budget --json --length 1000000
equal "$(field "$out" 'round(r["log10_ids"]), r["ids"]')" '(903086, None)' 'no overflow'
run "$keybench" id budget --chance 2
is_status 2 'a chance over 1'
run "$keybench" id
is_status 2 'id without a command'
run "$keybench" id new --help
is_status 0 'help'
holds "$out" 'Examples:' 'with examples'
done_testing
