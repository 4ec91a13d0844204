#!/bin/bash
# How many of the failing programs of tests/programs fail under gdb as in a replay, event by event.
set -u
cd "$(dirname "$0")/.."
echo "== mazur debug: failing cases of tests/programs"
tests/programs/debug.sh | sed 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 reproduced event by event, \2 not/'
exit "${PIPESTATUS[0]}"
