#!/bin/bash
# Paper 002, Figures 6 and 7: coverage against time as the bound increases, for a bounded search without reduction, bounded
# reduction as proven and as optimised, and DPOR, which is one search without a bound. A point is a bound that was finished. The axes are
# exchanged, as in the other drawings: time (of the processor) to the right. The paper counts local states; here the states
# within a bound are happens-before states, counted by cbpor-1, the same for every search that finishes the bound. Of the cyclic
# program, whose bound is the fair one, they are counted by the search without reduction, and the bound on preemptions is 3. The
# paper's figures have no numbers, so none are beside ours.
#
# Writes bounded_time.csv and an SVG of it to build/bench; with --docs the drawing goes to docs/. Fails where a search that has
# finished a bound found a failure: the programs are the corrected ones.
. "$(dirname "$0")/common.sh"
mkdir -p "$output"
csv=$output/bounded_time.csv
wrong=0

json() { # FIELD…: of the last search
    "$jsonget" "$scratch/result.json" "$@" | paste -sd' '
}

# finish ARGUMENTS...: one search; false if a limit ended it
finish() {
    measure "$@" --time "$((seconds * 5))s" || return 1
    [ "$verdict" != assertion ] && [ "$verdict" != deadlock ] && [ "$verdict" != livelock ] || wrong=1
    [ "$ended" = searched ]
}

point() { # LABEL SERIES BOUND STATES
    echo "$1,$2,$(awk -v s="$cpu" 'BEGIN { printf "%.0f", s < 0.01 ? 10 : 1000 * s }'),$4" >>"$csv"
    printf '%-28s %-12s %6s %10s states %10s executions %8.2f s\n' "$1" "$2" "$3" "$4" "$executions" "$cpu"
}

# series LABEL NAME "OPTIONS" ARGUMENTS...: bound after bound, up to one that isn't finished or adds nothing
series() {
    local label=$1 name=$2 how=$3 bound
    shift 3
    for ((bound = 0; bound < ${#within[@]}; bound++)); do
        # shellcheck disable=SC2086
        finish "$@" $how "$bound_option" $bound || break
        point "$label" "$name" $bound "${within[bound]}"
    done
}

count_within() { # "OPTIONS" ARGUMENTS...: states within each bound
    local how=$1 bound
    shift
    within=()
    for ((bound = 0; bound < 9; bound++)); do
        # shellcheck disable=SC2086
        finish "$@" $how --count-states "$bound_option" $bound || break
        within[bound]=$(json states)
        [ $bound = 0 ] || [ "${within[bound]}" != "${within[bound - 1]}" ] || break
    done
}

unbounded() { # LABEL STRATEGY ARGUMENTS...: all states are those within the last bound
    local label=$1 strategy=$2
    shift 2
    finish "$@" --strategy "$strategy" --bound none && [ ${#within[@]} -gt 1 ] &&
        [ "${within[-1]}" = "${within[-2]}" ] && point "$label" "$strategy" - "${within[-1]}"
    return 0
}

acyclic() { # LABEL ARGUMENTS...
    local label=$1 strategy
    shift
    bound_option=--bound
    count_within '--strategy cbpor-1' "$@"
    for strategy in icb bpor-plain bpor; do
        series "$label" $strategy "--strategy $strategy" "$@"
    done
    unbounded "$label" dpor-plain "$@"
    unbounded "$label" dpor "$@"
}

cyclic() { # LABEL ARGUMENTS...
    local label=$1 strategy
    shift
    bound_option=--fair
    count_within '--strategy icb --bound 3' "$@"
    for strategy in icb bpor-plain bpor; do
        series "$label" $strategy "--strategy $strategy --bound 3" "$@"
    done
}

title 'Paper 002, Figures 6 and 7: states within a bound against time'
echo 'program,strategy,milliseconds,states' >"$csv"
acyclic 'manual-reset event' "$programs/manual_reset_event.c" -DFIXED
acyclic 'FFT of 4 threads' "$programs/fft.c" -DTHREADS=4
acyclic 'CCR with exceptions' "$programs/ccr_exception.c"
cyclic 'cyclic program by fair bounds' "$programs/polite.c" -DFIXED --depth 1000

awk -v what='states' -v across='milliseconds of the processor' -v dots=1 -v least=10 -f bench/coverage_plot.awk "$csv" >"$output/bounded_time.svg"
[ "${1:-}" != --docs ] || cp "$output/bounded_time.svg" docs/
echo "drawing: $output/bounded_time.svg"
exit $wrong
