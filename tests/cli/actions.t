#!/usr/bin/env bash
# The scenarios whose phases do more than insert, against their reference results; and a server that must not be restarted.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
# shellcheck source=tests/support/users_server.sh
. "$(dirname "$0")/../support/users_server.sh"
cd "$(dirname "$0")/../.." || exit
keybench=${KEYBENCH:-$PWD/build/keybench}

for scenario in reads deletes mixed-history; do
    run "$keybench" run "$scenario-quick" --baseline "results/reference/$scenario-quick-pg18.json" --strict \
        -o "$tap_work/results" --charts none
    is_status 0 "$scenario-quick: its bounds hold, as in the reference result"
    run "$keybench" check "results/reference/$scenario-pg18.json"
    is_status 0 "$scenario: the bounds hold in the reference result of the full form"
done

start_server
before=$(written_so_far postgres)
run "$keybench" run -h "$socket" -U postgres reads-quick -o "$tap_work/results"
is_status 2 "a cold read on a user's server is refused"
holds "$err" 'phase "newest" reads from a cold cache, which restarts the server' 'with the reason'
holds "$err" 'keybench restarts only servers of its own' 'and what to do'
equal "$(written_so_far postgres)" "$before" 'before anything is written'
done_testing
