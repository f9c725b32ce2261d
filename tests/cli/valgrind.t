#!/usr/bin/env bash
# The unit tests once more as plain programs under valgrind: no invalid access, no use of what was never set, no leak. The
# ones that spend their time minting millions of ids are run by the sanitizers alone.
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit

for program in build/tests/unit/test_*; do
    [[ -x $program && -f $program ]] || continue
    name=${program##*/}
    case $name in
    *.o | *.d) continue ;;
    test_keys_order | test_plot | test_proc | test_tree)
        skip "$name under valgrind" 'too long, or mostly other programs'
        continue
        ;;
    esac
    run valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite "$program"
    is_status 0 "$name under valgrind"
done
done_testing
