#!/bin/bash
# The oracle tests must catch engines that are wrong on purpose (src/promela/search/labels.h): the real
# sources, compiled with MAZUR_MUTANT=N by the Makefile, linked with everything else as it is.
# Usage: mutants.sh
set -u
cd "$(dirname "$0")/../.." || exit 70
names=('none' 'no pid vector' 'no revisit' 'safe flag not stored'
    'a counted step closes a cycle' 'fairness does not wait for a process'
    'rest of folded frames forgotten' 'a lasso: the switch to the next round is free'
    'a lasso: the first round will do' 'fewest: one count per state')
failed=0
TMPDIR=$(mktemp -d) || exit 70 # a test that fails leaves its files behind
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# 6 has two places: the stack of hashes and that of cycles
for case in mutant-{0,1,2,3,6,9} cycles-mutant-{0,4,5,6} lasso-mutant-{7,8}; do
    program=build/$case mutant=${case##*-}
    make -s "$program" >/dev/null || exit 70
    out=$("$program" 2>&1)
    status=$?
    found=$(grep -m 1 -o -e 'seed.*' -e 'FAILED  . [a-z].*' <<<"$out" || echo 'passes')
    if { [ "$mutant" = 0 ] && [ $status = 0 ]; } || { [ "$mutant" != 0 ] && [ $status -ge 1 ] && [ $status -le 5 ]; }; then
        echo "ok mutant: ${names[mutant]} ($found)"
    else
        echo "not ok mutant: ${names[mutant]}: status $status ($found)"
        failed=1
    fi
done
exit $failed
