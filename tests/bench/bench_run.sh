#!/usr/bin/env bash
# The quick scenario by keybench against the same statements by psql, on one server; two jobs against one; and the
# client's peak memory at 200,000 and at 2,000,000 rows.
# shellcheck disable=SC2317,SC2154 # functions are called by name; in_turn sets ratio
set -euo pipefail
# shellcheck source=tests/support/bench.sh
. "$(dirname "$0")/../support/bench.sh"
cd "$(dirname "$0")/../.."
runs=${BENCH_RUNS:-5}
work=$(mktemp -d)
chmod 755 "$work"
trap 'build/keybench cluster stop "$folder" 2>/dev/null; rm -rf "$work"' EXIT

folder=$(build/keybench cluster start | sed -n 's/.*psql.* -h \([^ ]*\).*/\1/p' | head -n 1)
psql=(psql -X -q -h "$folder" -U postgres -d postgres -v ON_ERROR_STOP=1)

# The very statements that keybench sends, from the server's own log of one run.
log_statements() { # none|all
    "${psql[@]}" -c "ALTER SYSTEM SET log_statement = '$1'" -c 'SELECT pg_reload_conf()' >/dev/null
    sleep 0.5
}
by_keybench() {
    build/keybench run table-13-1-quick -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet || (($? == 1))
}
log_statements all
by_keybench >/dev/null
log_statements none
python3 - "$folder/server.log" >"$work/statements.sql" <<'PYTHON'
import re, sys

statements = []
for line in open(sys.argv[1], encoding="utf-8"):
    logged = re.search(r"LOG:  (?:statement|execute [^:]*): (.*)", line)
    parameters = re.search(r"DETAIL:  [Pp]arameters: (.*)", line)
    if logged:
        statements.append(logged.group(1))
    elif parameters:
        values = dict(re.findall(r"\$(\d+) = ('(?:[^']|'')*')", parameters.group(1)))
        statements[-1] = re.sub(r"\$(\d+)", lambda match: values[match.group(1)], statements[-1])
for statement in statements:
    if not statement.startswith("ALTER SYSTEM") and "pg_reload_conf" not in statement:
        print(statement + ";")
PYTHON
echo "    $(grep -c . "$work/statements.sql") statements, $(grep -c '^EXPLAIN' "$work/statements.sql") of them measured"
by_psql() {
    "${psql[@]}" -f "$work/statements.sql"
}
in_turn "$runs" by_keybench by_psql
mark "keybench / psql, the same statements on one server, wall time" "$ratio" at-most 1.03

jobs_2() {
    build/keybench run table-13-1-quick --jobs 2 -o "$work" --charts none --quiet || (($? == 1))
}
jobs_1() {
    build/keybench run table-13-1-quick --jobs 1 -o "$work" --charts none --quiet || (($? == 1))
}
in_turn "$runs" jobs_2 jobs_1
mark "--jobs 2 / --jobs 1, throwaway servers, wall time" "$ratio" at-most 0.60

peak_mb() { # SCENARIO: of the program alone, from the kernel's account of it
    python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)' \
        build/keybench run "$1" -h "$folder" -U postgres -d postgres -o "$work" --charts none --quiet
}
mark "client peak memory, 200,000 + 200,000 rows a design, minted here, MB" "$(peak_mb minted-quick)" at-most 16
sed 's/"bounds": \[/&]}/; T; q' scenarios/minted-quick.json | sed 's/200000/2000000/' >"$work/large.json"
mark "client peak memory, 2,000,000 + 200,000 rows a design, MB" "$(peak_mb "$work/large.json")" at-most 16
exit "$bench_missed"
