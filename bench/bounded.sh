#!/bin/bash
# Paper 002, Table 1, in spirit: DPOR, bounded search and bounded partial-order reduction side
# by side, on a manual-reset event that can deadlock, a cyclic program with a livelock, and a
# lock-heavy FFT of eight threads; for the programs that are correct, what it takes to cover them.
. "$(dirname "$0")/common.sh"

title 'DPOR, bounded search, BPOR'
printf '%-30s %-18s %-14s %7s %11s %10s %9s\n' program strategy verdict bound executions traces \
    seconds
# row LABEL "STRATEGY AND ITS OPTIONS" ARGUMENTS...; $limit: another time limit than $seconds
row() {
    local label=$1 how=$2 bound
    shift 2
    # shellcheck disable=SC2086
    measure "$@" --strategy $how --time "${limit:-$seconds}s"
    bound=$bound_done
    [ "$ended" = failure ] && bound=$preemptions
    printf '%-30s %-18s %-14s %7s %11s %10s %9.3f\n' "$label" "${how// --fair/, fair}" "$verdict" \
        "${bound:--}" "$(cell "$executions")" "$(cell "$distinct")" "$time"
}
# rows LABEL ARGUMENTS...: acyclic programs
rows() {
    local label=$1
    shift
    row "$label" 'dpor-plain --bound none' "$@"
    row "$label" 'dpor --bound none' "$@"
    row "$label" icb "$@"
    row "$label" bpor-plain "$@"
    row "$label" bpor "$@"
    row "$label" cbpor "$@"
}
rows 'manual-reset event, deadlock' "$programs/manual_reset_event.c"
rows '... with 3 waiters' "$programs/manual_reset_event.c" -DWAITERS=3
rows '... corrected' "$programs/manual_reset_event.c" -DFIXED
for how in 'dpor --bound none' icb 'icb --fair 1' 'icb --fair 2' 'bpor --fair 1' 'bpor --fair 2'; do
    row 'cyclic program, livelock' "$how" "$programs/polite.c" --depth 1000
done
for how in 'dpor --bound none' icb bpor 'icb --fair 1' 'bpor-plain --fair 1' 'bpor --fair 1' 'bpor --fair 2'; do
    row '... corrected' "$how" "$programs/polite.c" -DFIXED --depth 1000
done
rows 'CCR, assertion 1' "$programs/ccr_exception.c" -DBUG=1
rows 'CCR, assertion 2' "$programs/ccr_exception.c" -DBUG=2
rows '... corrected' "$programs/ccr_exception.c"
# cyclic, as the paper's: without and with the fair bound, alone and with that on preemptions
for bug in 'NQueens, assertion:nqueens:1' 'NQueens, livelock:nqueens:2' 'NQueens, assertion 2:nqueens:3' \
    'Matrix, assertion:matrix:1' 'Matrix, livelock:matrix:2' 'Matrix, livelock 2:matrix:3' 'RegOwn, exception:region_ownership:1'; do
    IFS=: read -r label program number <<<"$bug"
    for how in 'icb --fair 1' 'bpor --fair 1 --bound none' 'bpor --fair 1' cbpor; do
        row "$label" "$how" "$programs/$program.c" -DBUG="$number" --depth 1000
    done
done
rows 'FFT, 4 threads' "$programs/fft.c" -DTHREADS=4
rows 'FFT, 5 threads' "$programs/fft.c" -DTHREADS=5
# 8!^2, some 1.6e9, traces, of which 8! = 40,320 need no preemption: that bound and no more
for how in 'dpor --bound none' 'icb --bound 0' 'cbpor --bound 0'; do
    row 'FFT, 8 threads' "$how" "$programs/fft.c" -DTHREADS=8
done
limit=60 row 'FFT, 8 threads' 'bpor --bound 0' "$programs/fft.c" -DTHREADS=8
