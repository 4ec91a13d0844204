# The text reports of all kinds of failure, word for word. GOLDEN=write puts what comes out now
# into tests/cli/golden, to be looked at before it is committed.
#
# Addresses and times are not compared; what stands beside them is.
golden=$here/golden
programs=$root/tests/programs

# report NAME STATUS SOURCE OPTIONS...
report() {
    local what=$1 status=$2 source=$3
    shift 3
    t "$what"
    cp "$programs/$source" .
    expect "$status" "$MAZUR" check "$source" --no-trace --time 0 --color never "$@"
    sed -E -e '/0x[0-9a-f]+/s/ +/ /g' -e 's/0x[0-9a-f]+/0x…/g' -e 's/ +[0-9]+\.[0-9] s$/ S s/' out >report.txt
    [ "$(wc -l <report.txt)" -le 50 ] || fault "$(wc -l <report.txt) lines are more than a screen"
    if [ "${GOLDEN:-}" = write ]; then
        cp report.txt "$golden/$what.txt"
    else
        diff "$golden/$what.txt" report.txt >difference || fault "$(cat difference)"
    fi
}
report assertion 1 wsq_bad.c
report deadlock 2 deadlock_abba_bad.c
report partial-deadlock 3 deadlock_beside_spin_bad.c
report lost-wakeup 2 lost_wakeup_bad.c
report livelock-spin 3 livelock_spin_bad.c
report livelock-cycle 3 livelock_polite_bad.c
report race 7 counter_plain_bad.c
report use-after-free 11 use_after_free_bad.c
report double-free 11 double_free_bad.c
report out-of-bounds 11 heap_overflow_bad.c
report leak 11 leak_bad.c --leaks
report misuse 12 misuse_unlock_not_owner_bad.c
report exception 1 exception_bad.cpp
report crash 1 crash_null_bad.c
report exit-status 1 exit_status_bad.c
report not-linearizable 9 linear_queue_bad.c
report three-preemptions 1 preemptions_3_bad.c
programs=$root/examples report stolen-wakeup 1 buffer.c
report hang 4 hang_bad.c --hang 3s

t "who must come between whom: the work-stealing queue's bug in a sentence"
grep -q "T2's load tail (wsq_bad.c:60, #14) comes between T1's load head (wsq_bad.c:26, #9) and store tail (wsq_bad.c:28, #18)" \
    "$golden/assertion.txt" || fault "the sentence is not there"
line() { sed -n "$1p" "$programs/wsq_bad.c"; }
[[ "$(line 26)" == *head* && "$(line 28)" == *tail* && "$(line 60)" == *tail* ]] || fault "the lines are others now"
