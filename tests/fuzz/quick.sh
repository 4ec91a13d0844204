#!/bin/bash
# The part of the native fuzzing that `make test` runs: some programs with each option, and those
# that have shown a difference once (--timeouts=any: a timed lock against the unlock that it need
# not wait for).
cd "$(dirname "$0")" || exit 70
failed=0
./native.sh 15 1 || failed=1
for seed in 2095 2106 2119 2126; do
    EXECS=2000 OPTIONS=--timeouts=any ./native.sh 1 $seed ||
        failed=1
done
EXECS=5000 OPTIONS=--keep-going ./native.sh 10 400 || failed=1
EXECS=5000 OPTIONS=--spurious-wakeups ./native.sh 5 1000 || failed=1
EXECS=3000 KINDS=memory BOUNDS=1 ./outcomes.sh 6 11 || failed=1
EXECS=2000 KINDS=texts BOUNDS=1 ./outcomes.sh 2 54 || failed=1
EXECS=3000 KINDS=locks BOUNDS=1 ./outcomes.sh 5 101 || failed=1
GENERATOR=random_events EXECS=1000 KINDS=descriptors BOUNDS=1 ./outcomes.sh 1 8 || failed=1
GENERATOR=random_events EXECS=1000 BOUNDS=0 ./outcomes.sh 3 40 || failed=1
GENERATOR=random_cxx EXECS=500 BOUNDS=0 ./outcomes.sh 2 40 || failed=1
FILES=2 ./small.sh 50 1 || failed=1
# a step that fails before its operation is over
LIFETIMES=1 ROUNDS=9 ./small.sh 1 2003003 || failed=1
exit $failed
