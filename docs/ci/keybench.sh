#!/bin/sh
# One step of a build: measures a scenario and fails when a figure is not what it was.
#
#   docs/ci/keybench.sh [SCENARIO [BASELINE]]
#
# SCENARIO is a name that "keybench list scenarios" shows, or a file; default: minted-quick. BASELINE is an earlier
# result file; without one the scenario's own bounds decide. Where PGHOST, PGHOSTADDR or PGSERVICE names a server,
# that one is measured, otherwise a throwaway one. Writes keybench-out/result.json and keybench-out/junit.xml; other
# names by the environment: KEYBENCH is the program, KEYBENCH_OUT the folder.
#
# Exit status: 0 all holds, 1 a figure does not, 2 wrong usage, 3 no fit server, 4 somebody else used it meanwhile.
set -eu

scenario=${1:-minted-quick}
baseline=${2:-}
keybench=${KEYBENCH:-build/keybench}
out=${KEYBENCH_OUT:-keybench-out}

mkdir -p "$out"
if [ -n "${PGHOST:-}${PGHOSTADDR:-}${PGSERVICE:-}" ]; then
    # A server made for this build belongs to its superuser; one that is yours needs the extension once, by an admin.
    psql -X -q -v ON_ERROR_STOP=1 -c 'SET client_min_messages = warning' \
        -c 'CREATE EXTENSION IF NOT EXISTS pgstattuple'
fi
"$keybench" doctor

status=0
"$keybench" run "$scenario" --strict --retry-contaminated 3 --output "$out" --charts none --json \
    >"$out/result.json" || status=$?
# 1 is a bound that does not hold: the check below says which. All else ends the step.
[ "$status" -le 1 ] || exit "$status"

set -- "$out/result.json" --junit "$out/junit.xml"
[ -z "$baseline" ] || set -- "$@" --baseline "$baseline"
[ -z "${GITHUB_ACTIONS:-}" ] || set -- "$@" --github
exec "$keybench" check "$@"
