#!/bin/bash
# The oracle tests must catch engines that are wrong on purpose (src/promela/labels.h): the real
# sources, compiled with MAZUR_MUTANT=N by the Makefile, linked with everything else as it is.
# Usage: mutants.sh
set -u
cd "$(dirname "$0")/../.." || exit 70
names=('none' 'no pid vector' 'no revisit' 'safe flag not stored'
    'a counted step closes a cycle' 'fairness does not wait for a process'
    'rest of folded frames forgotten')
failed=0
TMPDIR=$(mktemp -d) || exit 70 # a test that fails leaves its files behind
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
for mutant in 0 1 2 3 4 5 6; do
    program=build/mutant-$mutant
    [ $mutant -lt 4 ] || [ $mutant -gt 5 ] || program=build/cycles-mutant-$mutant
    make -s "$program" >/dev/null || exit 70
    out=$("$program" 2>&1)
    status=$?
    found=$(grep -m 1 -o -e 'seed.*' -e 'FAILED  . [a-z].*' <<<"$out" || echo 'passes')
    if { [ $mutant = 0 ] && [ $status = 0 ]; } || { [ $mutant != 0 ] && [ $status -ge 1 ] && [ $status -le 5 ]; }; then
        echo "ok mutant: ${names[mutant]} ($found)"
    else
        echo "not ok mutant: ${names[mutant]}: status $status ($found)"
        failed=1
    fi
done
exit $failed
