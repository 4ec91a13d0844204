#!/bin/bash
# Paper 004, Table 1: DPOR and stateful DPOR, runs, re-visited states (executions that turned back; with dpor and
# optimal: that were given up) and transitions, without replayed prefixes as the paper counts them, beside all steps: example1 of its Figure 1
# (with the assertion as printed, which fails, and without it), a shared array, a bounded buffer
# with four threads; optimal beside them. A strategy that this build does not have is left out.
. "$(dirname "$0")/common.sh"

title 'DPOR and stateful DPOR: runs, transitions'
printf '%-34s %-8s %-14s %10s %10s %12s %12s %9s\n' program strategy verdict runs turned transitions steps \
    seconds
row() {
    local label=$1 strategy
    shift
    for strategy in dpor optimal sdpor; do
        has "$strategy" || continue
        if ! measure "$@" --strategy "$strategy" --bound none --time "$((seconds * 5))s"; then
            continue
        fi
        printf '%-34s %-8s %-14s %10s %10s %12s %12s %9.3f\n' "$label" "$strategy" "$verdict" \
            "$(cell "$executions")" "$(cell "$pruned")" "$(cell "$transitions")" "$(cell "$steps")" "$time"
    done
}
row 'example1 with the assertion' "$programs/example1.c" -DASSERTION
row 'example1' "$programs/example1.c"
row 'example1, N = 32' "$programs/example1.c" -DN=32
row 'shared array, 8 elements' "$programs/shared_array.c"
row 'shared array, twice' "$programs/shared_array.c" -DROUNDS=2
row 'shared array, three times' "$programs/shared_array.c" -DROUNDS=3
row 'bounded buffer, 4 threads' "$programs/bounded_buffer.c"
row 'bounded buffer, 2 items each' "$programs/bounded_buffer.c" -DITEMS=2
row 'bounded buffer, 2 items, 2 slots' "$programs/bounded_buffer.c" -DITEMS=2 -DCAPACITY=2
row 'pfscan, 2 files, 2 workers' "$programs/pfscan.c"
row 'pfscan, 3 files, 2 workers' "$programs/pfscan.c" -DFILES=3
row 'bzip2smp, 3 blocks, 2 workers' "$programs/bzip2smp.c"
row 'bzip2smp, 3 blocks, 3 workers' "$programs/bzip2smp.c" -DWORKERS=3
