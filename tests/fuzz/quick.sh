#!/bin/bash
# The part of the native fuzzing that `make test` runs: some programs with each option, and
# those that once showed a difference (--timeouts=any: a timed lock against the unlock for which
# it need not wait).
#
# Usage: quick.sh [SET...]      the sets of programs below; all of them without one
#        quick.sh --list        their names
cd "$(dirname "$0")" || exit 70

plain() { ./native.sh 15 1; }
checkpoints() { EXECS=100 STRATEGIES="dpor random" ./checkpoints.sh 4 500; }
timeouts() {
    local seed failed=0
    for seed in 2095 2106 2119 2126; do
        EXECS=2000 OPTIONS=--timeouts=any ./native.sh 1 $seed || failed=1
    done
    return $failed
}
keep-going() { EXECS=5000 OPTIONS=--keep-going ./native.sh 10 400; }
spurious() { EXECS=5000 OPTIONS=--spurious-wakeups ./native.sh 5 1000; }
memory() { EXECS=3000 KINDS=memory BOUNDS=1 ./outcomes.sh 6 11; }
texts() { EXECS=2000 KINDS=texts BOUNDS=1 ./outcomes.sh 2 54; }
locks() { EXECS=3000 KINDS=locks BOUNDS=1 ./outcomes.sh 5 101; }
descriptors() { GENERATOR=random_events EXECS=1000 KINDS=descriptors BOUNDS=1 ./outcomes.sh 1 8; }
events() { GENERATOR=random_events EXECS=1000 BOUNDS=0 ./outcomes.sh 3 40; }
cxx() { GENERATOR=random_cxx EXECS=500 BOUNDS=0 ./outcomes.sh 2 40; }
small() { FILES=2 ./small.sh 50 1; }
# a step that fails before its operation is over
lifetimes() { LIFETIMES=1 ROUNDS=9 ./small.sh 1 2003003; }
# a step that ends some executions by a race, and not others
plain-rules() { STRATEGIES="dpor-plain bpor-plain" ROUNDS=2 ./small.sh 1 5003233; }

loops() { EXECS=1000 BOUNDS="0 1" ./loops.sh 5 1 && EXECS=1000 KINDS=retry BOUNDS=1 ./loops.sh 4 135 && EXECS=500 KINDS=assume ./loops.sh 5 1; }

sets=(loops checkpoints plain timeouts keep-going spurious memory texts locks descriptors events cxx small lifetimes plain-rules)
[ "${1:-}" = --list ] && printf '%s\n' "${sets[@]}" && exit
[ $# -gt 0 ] || set -- "${sets[@]}"
failed=0
for name; do
    [[ " ${sets[*]} " == *" $name "* ]] || { echo "quick.sh: there is no set '$name'" >&2 && exit 70; }
    "$name" || failed=1
done
exit $failed
