#!/usr/bin/env bash
# A small sweep whole, in parts under GNU parallel, cut short and resumed, and with a trial that fails.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}
export TMPDIR=$tap_work keybench tap_work

cat >"$tap_work/small.json" <<'JSON'
{"format": "keybench-scenario/1", "name": "small", "title": "Small", "seed": 7,
 "axes": [{"name": "bytes", "title": "bytes more a row"}],
 "settings": {"data_checksums": "off"},
 "designs": [
  {"name": "bigint", "primary_key": "id", "columns": [
   {"name": "id", "source": "identity", "type": "bigint"}, {"name": "n", "source": "row_number", "type": "integer"}]},
  {"name": "v4", "primary_key": "id", "columns": [
   {"name": "id", "source": "keybench", "format": "uuidv4"}, {"name": "n", "source": "row_number", "type": "integer"},
   {"name": "more", "source": "filler", "type": "text", "bytes": [0, 100]}]}],
 "phases": [{"name": "load", "rows": 4000, "batches": 4, "checkpoint": ["none", 1000]}],
 "bounds": [{"name": "v4-bigint", "design": "v4", "phase": "load", "metric": "wal_bytes", "over_design": "bigint", "min": 1}]}
JSON

# Counts of every trial, without times and log positions, one line each.
counts() { # RESULT
    python3 -c '
import json, sys
result = json.load(open(sys.argv[1]))
keep = ("rows", "wal_bytes", "wal_record_count", "fpi_count", "heap_bytes")
for design in result["designs"]:
    for phase in design["phases"]:
        print(design["name"], design.get("sweep"), phase["complete"], [phase[k] for k in keep],
              [b["wal_bytes"] for b in phase["batches"]], [i["leaf_pages"] for i in phase["indexes"]])' "$1"
}
only_file() { compgen -G "$1/*.json"; }

# ---- Refused ----

sed 's/"seed": 7/"seed": [7, 8]/' "$tap_work/small.json" >"$tap_work/seeds.json"
run "$keybench" run "$tap_work/seeds.json" --dry-run --only 'seed=8,design=bigint,checkpoint=none'
is_status 0 'one seed of a swept one'
holds "$err" 'small: 1 design, 4,000 rows' 'a part counts the designs of its trials'
holds "$out" 'bigint checkpoint=none, seed=8: ' 'is planned'
run "$keybench" run "$tap_work/seeds.json" --dry-run --seed 9
is_status 2 '--seed where the seed is swept'
holds "$err" '--only seed=N' 'says what to do'

# Eight points share their doubts.
sed 's/4000, "batches": 4/1000/; s/\["none", 1000\]/"none"/; s/"seed": 7/"seed": [1, 2, 3, 4]/' "$tap_work/small.json" >"$tap_work/doubt.json"
run "$keybench" run "$tap_work/doubt.json" -o "$tap_work/doubt" --charts none
is_status 0 'a sweep too small to say much'
equal "$(grep 'note: design' "$tap_work/err" | sort | uniq -d)" '' 'says no doubt twice'
equal "$(grep -c 'note: design' "$tap_work/err")" 3 'of three: two indexes are small, and one batch hides the images'

# ---- Whole ----

run "$keybench" run "$tap_work/small.json" --dry-run
is_status 0 'a dry run'
equal "$(grep -c 'rows, about' <<<"$out")" 6 'lists every trial: an axis of one design does not repeat the other'
holds "$out" 'v4 checkpoint=none, bytes=100: 4,000 rows' 'with its values and volume'
run "$keybench" run "$tap_work/small.json" -o "$tap_work/whole" --charts none
is_status 0 'the whole sweep'
holds "$out" 'sweep     checkpoint none, 1,000; bytes 0, 100' 'the axes are named in the report'
whole=$(only_file "$tap_work/whole")
counts "$whole" >"$tap_work/whole.counts"
equal "$(wc -l <"$tap_work/whole.counts")" 6 'holds six trials'

# ---- In parts ----

run parallel --halt now,fail=1 "$keybench" run "$tap_work/small.json" --shard '{}/3' -o "$tap_work/shard-{}" --charts none -q ::: 1 2 3
is_status 0 'three shards under GNU parallel'
run "$keybench" merge "$tap_work"/shard-[123]/*.json -o "$tap_work/merged.json"
is_status 0 'merged'
counts "$tap_work/merged.json" >"$tap_work/merged.counts"
run diff "$tap_work/whole.counts" "$tap_work/merged.counts"
is_status 0 'every count of the merged result is that of the whole run'
run "$keybench" compare "$whole" "$tap_work/merged.json"
is_status 0 'and compare takes it'
equal "$(grep -c '  worse$' <<<"$out")" 0 'without a difference'
run "$keybench" check "$tap_work/merged.json"
is_status 0 'its bounds hold'
run "$keybench" merge "$tap_work"/shard-[12]/*.json -o "$tap_work/part.json"
is_status 3 'a shard is missing'
holds "$err" '2 of 6 trials are missing or not complete' 'how much'
run "$keybench" report "$tap_work/part.json"
is_status 0 'and yet what is there can be shown'
run "$keybench" merge "$tap_work"/shard-1/*.json "$tap_work"/shard-1/*.json -o "$tap_work/twice.json"
is_status 3 'a file twice adds nothing'
python3 - "$(only_file "$tap_work/shard-2")" "$tap_work/byte.json" <<'PYTHON'
import json, sys
result = json.load(open(sys.argv[1]))
trial = next(design for design in result["designs"] if design["name"] == "v4")
trial["phases"][0]["indexes"][0]["index_bytes"] += 8192
json.dump(result, open(sys.argv[2], "w"))
PYTHON
run "$keybench" merge "$tap_work"/shard-2/*.json "$tap_work/byte.json"
is_status 2 'a trial that cost something else in another file'
holds "$err" 'design "v4" at ' 'is named'
holds "$err" 'phase "load" was measured twice: index_bytes' 'with the figure'
python3 - "$(only_file "$tap_work/shard-2")" "$tap_work/elsewhere.json" <<'PYTHON'
import json, sys
result = json.load(open(sys.argv[1]))
result["machine"]["core_count"] = "1024"
json.dump(result, open(sys.argv[2], "w"))
PYTHON
run "$keybench" merge "$tap_work"/shard-[13]/*.json "$tap_work/elsewhere.json" -o "$tap_work/machines.json"
is_status 0 'a part of another machine'
run "$keybench" compare "$whole" "$tap_work/machines.json" --format csv --all
holds "$out" 'the new result is of several machines' 'has no times to compare'
sed 's/"seed":\t7,/"seed":\t8,/' "$(only_file "$tap_work/shard-2")" >"$tap_work/other.json"
run "$keybench" merge "$tap_work"/shard-1/*.json "$tap_work/other.json"
is_status 2 'another seed is refused'
holds "$err" 'has seed 8' 'and named'
run "$keybench" run "$tap_work/small.json" --only 'design=v4,bytes=100;design=bigint,checkpoint=none' -o "$tap_work/only" --charts none
is_status 0 '--only'
counts "$(only_file "$tap_work/only")" >"$tap_work/only.counts"
equal "$(wc -l <"$tap_work/only.counts")" 3 'measures what it names'
run grep -vxFf "$tap_work/whole.counts" "$tap_work/only.counts"
is_status 1 'and each as in the whole run'
run "$keybench" run "$tap_work/small.json" --shard 4/3
is_status 2 'a shard that is none'

run "$keybench" run "$tap_work/small.json" --repeat 2 --shard 1/12 -o "$tap_work/repeats" --charts none
run "$keybench" merge "$tap_work"/repeats/*.json -o "$tap_work/repeats.json"
is_status 3 'a repeat that no part holds'
holds "$err" '11 of 12 trials are missing' 'is missed all the same'

# The block of docs/scaling-out.md as it stands there, but for its folder.
block=$(sed -n '/^## GNU parallel/,/^On one/s/^    //p' docs/scaling-out.md)
run bash -ec "${block//results\/cadence/$tap_work/cadence}"
is_status 0 'the example of the manual'
ok "$(($(compgen -G "$tap_work/cadence/*.svg" | wc -l) > 0 ? 0 : 1))" 'it draws charts'

# ---- Cut short ----

# cut SIGNAL: a run killed after its first trial was saved
cut() {
    rm -rf "$tap_work/cut"
    "$keybench" run "$tap_work/small.json" -o "$tap_work/cut" --charts none >"$tap_work/cut.out" 2>"$tap_work/cut.err" &
    local child=$! i
    for ((i = 0; i < 1500; i++)); do
        grep -qs '"complete":.*true' "$tap_work"/cut/*.json && break
        sleep 0.02
    done
    kill -"$1" "$child" 2>/dev/null
    wait "$child" 2>/dev/null
}
for signal in INT KILL; do
    cut "$signal"
    file=$(only_file "$tap_work/cut")
    counts "$file" | grep ' True ' >"$tap_work/before"
    ok "$(($(wc -l <"$tap_work/before") > 0 ? 0 : 1))" "SIG$signal: complete trials are saved"
    run "$keybench" run "$tap_work/small.json" --resume "$file" --charts none
    is_status 0 "SIG$signal: resumed"
    counts "$file" >"$tap_work/resumed"
    run diff "$tap_work/whole.counts" "$tap_work/resumed"
    is_status 0 "SIG$signal: and as the whole run"
done
python3 - "$file" "$tap_work/begun.json" <<'PYTHON'
import json, sys
result = json.load(open(sys.argv[1]))
result["status"] = "interrupted"
for trial in result["designs"][1:]:
    trial["phases"] = []
json.dump(result, open(sys.argv[2], "w"))
PYTHON
run "$keybench" run "$tap_work/small.json" --resume "$tap_work/begun.json" --charts none --pg-bindir "$tap_work"
is_status 2 'resumed where there is no server'
for signal in INT KILL; do
    "$keybench" run "$tap_work/small.json" --resume "$tap_work/begun.json" --charts none >"$tap_work/cut.out" 2>"$tap_work/cut.err" &
    child=$!
    for ((i = 0; i < 300; i++)); do
        grep -q 'a throwaway cluster' "$tap_work/cut.err" && break
        sleep 0.02
    done
    kill -"$signal" "$child" 2>/dev/null
    wait "$child" 2>/dev/null
    counts "$tap_work/begun.json" | grep -c ' True ' >"$tap_work/left"
    ok "$(($(<"$tap_work/left") >= 1 ? 0 : 1))" "interrupted again by SIG$signal: what was complete is still there"
done
run "$keybench" run "$tap_work/small.json" --resume "$tap_work/begun.json" --charts none
is_status 0 'and resumed once more'
counts "$tap_work/begun.json" >"$tap_work/resumed"
run diff "$tap_work/whole.counts" "$tap_work/resumed"
is_status 0 'as the whole run'
cp "$(only_file "$tap_work/shard-1")" "$tap_work/first.json"
run "$keybench" run "$tap_work/small.json" --resume "$tap_work/first.json" --charts none --shard 2/3
is_status 2 'a part is not gone on with as another part'
holds "$err" 'has a trial that this run would not measure: bigint at checkpoint=none' 'the trial is named'
run "$keybench" run "$tap_work/small.json" --resume "$tap_work/first.json" --charts none
is_status 0 'but as the whole'
counts "$tap_work/first.json" >"$tap_work/resumed"
run diff "$tap_work/whole.counts" "$tap_work/resumed"
is_status 0 'and is as the whole run'
equal "$(grep -c '"part"' "$tap_work/first.json")" 0 'and no part any more'
run "$keybench" run "$tap_work/small.json" --resume "$file" --charts none --seed 8
is_status 2 'a result of another seed is not gone on with'
run "$keybench" run minted-quick --resume "$file" --charts none
is_status 2 'nor one of another scenario'

# ---- Parts that begin at once, into one folder ----

for part in 1 2 3 4; do
    "$keybench" run "$tap_work/small.json" --shard "$part/4" -o "$tap_work/crowd" --charts none --quiet >"$tap_work/part.$part" &
done
wait
equal "$(compgen -G "$tap_work/crowd/*.json" | wc -l)" 4 'each part has a file of its own'
run "$keybench" merge "$tap_work"/crowd/*.json -o "$tap_work/crowd.json"
is_status 0 'and none was written over'
run "$keybench" run -h "$tap_work/nowhere" "$tap_work/small.json" -o "$tap_work/none"
is_status 3 'a run without a server'
equal "$(ls -A "$tap_work/none")" '' 'leaves no file'

# ---- A hole ----

# At one point the server may not spill the numbers of the rows that it makes itself.
sed 's/"settings": {/"settings": {"work_mem": "64kB", "temp_file_limit": ["-1", "0"], /; s/"bytes": \[0, 100\]/"bytes": 0/
s/"checkpoint": \["none", 1000\]/"checkpoint": "none"/; s/4000/40000/; /"axes"/d' "$tap_work/small.json" >"$tap_work/hole.json"
run "$keybench" run "$tap_work/hole.json" -o "$tap_work/hole" --charts none
is_status 3 'a sweep with trials that fail'
holds "$err" 'failed: temp_file_limit=0: ' 'says so as they fail'
holds "$out" 'failed' 'the table shows the holes'
hole=$(only_file "$tap_work/hole")
equal "$(counts "$hole" | grep -c True)" 3 'the other trials are measured'
run "$keybench" check "$hole"
is_status 1 'and a check of it does not pass'

# A server does not start with one of the values.
sed 's/"settings": {/"settings": {"shared_buffers": ["1kB", "16MB"], /; s/"bytes": \[0, 100\]/"bytes": 0/
s/"checkpoint": \["none", 1000\]/"checkpoint": "none"/; /"axes"/d' "$tap_work/small.json" >"$tap_work/small-buffers.json"
run "$keybench" run "$tap_work/small-buffers.json" -o "$tap_work/unstarted" --charts none
is_status 3 'a sweep of a setting that a server does not start with'
holds "$err" 'failed: shared_buffers=1kB: ' 'marks the trials of it'
holds "$err" 'is outside the valid range for parameter "shared_buffers"' 'with the cause'
equal "$(counts "$(only_file "$tap_work/unstarted")" | grep -c True)" 2 'and measures the others'
done_testing
