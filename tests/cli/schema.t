#!/usr/bin/env bash
# The published JSON schema against all scenarios, and against bad ones that it must refuse.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/support/tap.sh
source tests/support/tap.sh

SCHEMA=scenarios/keybench-scenario.schema.json
PYTHON=/usr/bin/python3 # Debian's python3-jsonschema is for this one

if ! "$PYTHON" -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
    echo '1..0 # SKIP no python3-jsonschema with draft 2020-12; install it with: scripts/bootstrap check-tools'
    exit
fi

# Reads a scenario; with two arguments more, Python that changes it first: a path and an expression.
cat >"$tap_work/validate" <<'EOT'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
scenario = json.load(open(sys.argv[2]))
if len(sys.argv) > 3:
    exec(sys.argv[3], {"s": scenario})
errors = list(jsonschema.Draft202012Validator(schema).iter_errors(scenario))
for error in errors:
    print("/".join(map(str, error.absolute_path)) + ": " + error.message[:200], file=sys.stderr)
sys.exit(1 if errors else 0)
EOT

good() { # FILE LABEL [CHANGE]
    run "$PYTHON" "$tap_work/validate" "$SCHEMA" "$1" "${@:3}"
    is_status 0 "$2"
}

bad() { # CHANGE LABEL: to the quick scenario
    run "$PYTHON" "$tap_work/validate" "$SCHEMA" scenarios/table-13-1-quick.json "$1"
    is_status 1 "$2"
}

for file in scenarios/*.json; do
    [[ $file == "$SCHEMA" ]] || good "$file" "$file"
done

# A list for every value that may be swept: all but names, titles, null, and sources, which have keys of their own.
cat >"$tap_work/sweep" <<'EOT'
def sweep(value, key):
    if isinstance(value, dict):
        return {key: sweep(below, key) for key, below in value.items()}
    if isinstance(value, list):
        return [sweep(below, "name") for below in value]
    return value if key in ("name", "title", "source") or value is None else [value]
for part in ("settings", "phases", "designs"):
    if part in s:
        s[part] = sweep(s[part], part)
s["seed"] = [s["seed"]]
EOT
for file in scenarios/*.json; do
    [[ $file == "$SCHEMA" || $(<"$file") == *'"typeid"'* ]] || good "$file" "$file: all lists" "$(<"$tap_work/sweep")"
done

QUICK=scenarios/table-13-1-quick.json
good $QUICK 'a swept seed' 's["seed"] = [1, 2]'
bad 's["seed"] = [1, -1]' 'a swept seed that is none'
bad 's["seed"] = []' 'a list of nothing'
bad 's["repeats"] = [1, 2]' 'a list where there is none'
bad 's["phases"][0]["name"] = ["a", "b"]' 'swept names'
bad 's["phases"][0]["writers"] = [1, 65]' 'too many writers at one point'
bad 's["phases"][0]["writers"] = [1, 1]' 'a value twice'
bad 's["phases"][0]["writers"] = [1, None]' 'a point of no value'
bad 's["phases"][0]["load"] = {"method": ["copy", "move"]}' 'an unknown method at one point'
bad 's["settings"] = {"shared_buffers": ["1GB", "1,2"]}' 'a value that --only could not name'
bad 's["designs"][0]["key_fillfactor"] = [9, 90]' 'a fillfactor below 10 at one point'
bad 's["designs"][0]["columns"][1]["type"] = ["integer", "numeric"]' 'a type that does not count rows at one point'
good $QUICK 'two sources of one set of keys' 's["designs"][0]["columns"][0]["source"] = ["identity", "row_number"]'
COLUMN='s["designs"][0]["columns"][1]'
INDEX='"indexes": [{"name": "by n", "columns": ["n"], "unique": True, "fillfactor": 70}]'
KEYS='"nodes": 3, "node_skew_ms": 5, "ids_per_ms": 100, "machine": 7, "epoch_ms": 8'
good $QUICK 'an index' "s['designs'][0].update({$INDEX, 'table_fillfactor': 70})"
good $QUICK 'a tolerance of all metrics' 's["designs"][0]["tolerance_pct"] = 0.5'
good $QUICK 'a tolerance of one' 's["designs"][0]["tolerance_pct"] = {"leaf_pages": 8}'
good $QUICK 'a filler' "${COLUMN}.update(source='filler', type='bytea', bytes=400)"
good $QUICK 'a minted column' "$COLUMN.clear(); $COLUMN.update({'name': 'k', 'source': 'keybench', 'format': 'typeid',
    'prefix': 'a_b', 'form': 'text-c', $KEYS})"
good $QUICK 'settings' 's["settings"] = {"shared_buffers": "1GB", "plpgsql.x": ""}'
good $QUICK 'no tables, charts and bounds' 'del s["tables"], s["charts"], s["bounds"]'

AXIS="'name': 'x', 'kind': 'axis', 'axis': 'checkpoint', 'phase': 'second', 'metrics': ['wal_bytes']"
PHASES="'name': 'x', 'kind': 'phases', 'metrics': ['wal_bytes']"
good $QUICK 'a chart over an axis' "s['phases'][1]['checkpoint'] = ['none', 'each_batch']
s['charts'] = [{$AXIS, 'over_design': 'uuidv7', 'at': {'bytes': 7}}]"
good $QUICK 'a chart over phases' "s['charts'] = [{$PHASES, 'phases': ['first', 'second']}]"
bad "s['charts'] = [{$AXIS, 'phases': ['first', 'second']}]" 'phases of a chart over an axis'
bad "s['charts'] = [{$PHASES, 'phase': 'first'}]" 'one phase of a chart over phases'
bad "s['charts'] = [{$PHASES, 'phases': ['first']}]" 'a list of one phase'
bad 's["charts"][0]["over_design"] = "uuidv7"' 'a ratio of bars'
bad 's["colour"] = 1' 'an unknown key'
bad 's["format"] = "keybench-scenario/2"' 'another format'
bad 'del s["seed"]' 'no seed'
bad 's["seed"] = 2**53 + 1' 'a seed beyond 2^53'
bad 's["name"] = "Table 13-1"' 'a name with a blank'
bad 's["title"] = "a\nb"' 'a line break in a title'
bad 's["settings"] = {"shared_buffers": 128}' 'a number as setting'
bad 's["settings"] = {"archive_command": "rm"}' 'a setting that runs a program'
bad 's["settings"] = {"include": "x"}' 'a setting that reads a file'
bad 's["designs"] = []' 'no designs'
bad "${COLUMN}['source'] = 'sequence'" 'an unknown source'
bad "${COLUMN}['type'] = 'numeric'" 'a type that does not count rows'
bad "${COLUMN}['bytes'] = 7" 'a key of another source'
bad 's["designs"][2]["columns"][0]["generator"] = "now()"' 'SQL for a generator'
bad 's["designs"][2]["columns"][0]["fallback"] = "guid"' 'an unknown key format'
bad 's["designs"][0]["tolerance_pct"] = 101' 'a tolerance above 100'
bad 's["designs"][0]["tolerance_pct"] = {"leaves": 1}' 'a tolerance of no metric'
bad 's["designs"][0]["key_fillfactor"] = 9' 'a fillfactor below 10'
bad 's["phases"][0]["rows"] = 0' 'no rows'
bad 's["phases"][0]["checkpoint"] = "never"' 'an unknown cadence'
bad 's["tables"][0]["metrics"] = []' 'a table of nothing'
bad 's["tables"][0]["metrics"] = ["wal"]' 'an unknown metric'
bad 's["charts"][1]["metrics"] = ["fpi_count", "rows"]' 'two metrics over batches'
bad 's["charts"][4]["metrics"] = ["wal_bytes"]' 'metrics where there are none'
bad 'del s["charts"][0]["metrics"]' 'bars of nothing'
bad 'del s["bounds"][0]["min"]' 'a bound without limit'
bad 's["bounds"][0]["within_pct"] = 1' 'a distance beside a limit'
bad 's["bounds"][4] = {**s["bounds"][4], "over_phase": "first"}' 'a phase without its design'
bad 's["references"] = [{"design": "bigint", "phase": "first", "metric": "rows", "value": -1, "unit": "rows",
    "source": "s"}]' 'a negative reference'
done_testing
