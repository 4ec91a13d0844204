#!/bin/bash
# The text reports of all kinds of failure, word for word. GOLDEN=write writes the present
# reports into tests/cli/golden, to be reviewed before they are committed.
#
# Addresses and times are not compared; the text around them is.
. "$(dirname "$0")/lib.sh"
golden=$here/golden
programs=$root/tests/programs

# report NAME STATUS SOURCE OPTIONS...
report() {
    local what=$1 status=$2 source=${3##*/} path=$3
    shift 3
    t "$what"
    cp "$programs/$path" .
    expect "$status" "$MAZUR" check "$source" --no-trace --time 0 --color never "$@"
    sed -E -e '/0x[0-9a-f]+/s/ +/ /g' -e 's/0x[0-9a-f]+/0x…/g' -e 's/ +[0-9]+\.[0-9] s$/ S s/' out >report.txt
    [ "$(wc -l <report.txt)" -le 50 ] || fault "$(wc -l <report.txt) lines are more than a screen"
    if [ "${GOLDEN:-}" = write ]; then
        cp report.txt "$golden/$what.txt"
    else
        diff "$golden/$what.txt" report.txt >difference || fault "$(cat difference)"
    fi
}
report assertion 1 algorithms/wsq_bad.c
report deadlock 2 locks/deadlock_abba_bad.c
report partial-deadlock 3 loops/deadlock_beside_spin_bad.c
report lost-wakeup 2 conditions/lost_wakeup_bad.c
report livelock-spin 3 loops/livelock_spin_bad.c
report livelock-cycle 3 loops/livelock_polite_bad.c
report race 7 races/counter_plain_bad.c
report use-after-free 11 memory/use_after_free_bad.c
report double-free 11 memory/double_free_bad.c
report out-of-bounds 11 memory/heap_overflow_bad.c
report leak 11 memory/leak_bad.c --leaks
report misuse 12 misuse/misuse_unlock_not_owner_bad.c
report exception 1 cxx/exception_bad.cpp
report crash 1 endings/crash_null_bad.c
report exit-status 1 endings/exit_status_bad.c
report not-linearizable 9 api/linear_queue_bad.c
report three-preemptions 1 search/preemptions_3_bad.c
programs=$root/examples report stolen-wakeup 1 buffer.c
report hang 4 loops/hang_bad.c --hang 3s

t "who must come between whom: the work-stealing queue's bug in a sentence"
tr -s ' \n' ' ' <"$golden/assertion.txt" | # the report wraps it
    grep -q "T2's load tail (wsq_bad.c:60, #14) comes between T1's load head (wsq_bad.c:26, #9) and store tail (wsq_bad.c:28, #18)" || fault "the sentence is not there"
line() { sed -n "$1p" "$programs/algorithms/wsq_bad.c"; }
[[ "$(line 26)" == *head* && "$(line 28)" == *tail* && "$(line 60)" == *tail* ]] || fault "the lines are others now"

end_of_file
