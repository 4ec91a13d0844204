#!/bin/bash
# Paper 003: the bug of the Bluetooth driver, a file-system model, dining philosophers; and how
# coverage grows (its Figures 2, 5 and 6): distinct classes (Mazurkiewicz traces) against
# executions, for icb, dfs, random and depth-bounded search, and for the reductions beside them.
# Searches are deterministic, so each point is a search of its own, limited to so many executions.
#
# Writes coverage.csv and coverage.svg to build/bench. Depth-bounded search cuts each execution
# at three quarters of its operations; its classes are those of the prefixes that it ran.
. "$(dirname "$0")/common.sh"
mkdir -p "$output"
csv=$output/coverage.csv
points=${BENCH_POINTS:-1 3 10 30 100 300 1000 3000 10000 30000}
wrong=0

title 'Paper 003: bugs and complete searches'
printf '%-30s %-8s %-14s %12s %11s %8s %9s\n' program strategy verdict preemptions executions \
    traces seconds
# row LABEL VERDICT ARGUMENTS...
row() {
    local label=$1 expected=$2 strategy
    shift 2
    for strategy in icb bpor cbpor; do
        measure "$@" --strategy $strategy --time "${seconds}s"
        printf '%-30s %-8s %-14s %12s %11s %8s %9.3f\n' "$label" $strategy "$verdict" \
            "${preemptions:--}" "$(cell "$executions")" "$(cell "$distinct")" "$time"
        [ "$verdict" = "$expected" ] || [ "$verdict" = nothing-found ] || wrong=1
    done
}
row 'Bluetooth driver' assertion "$programs/bluetooth.c"
row 'Bluetooth driver, corrected' passed "$programs/bluetooth.c" -DFIXED
row 'file-system model, 4 threads' passed "$programs/file_system.c"
row 'philosophers, 3' deadlock "$programs/philosophers.c"
row 'philosophers, 5' deadlock "$programs/philosophers.c" -DN=5
row 'philosophers, 3, ordered' passed "$programs/philosophers.c" -DORDERED

# growth LABEL ARGUMENTS...: rows of the CSV
growth() {
    local label=$1 how strategy depth limit before
    shift
    measure "$@" --strategy dfs --bound none --execs 1
    depth=$((steps * 3 / 4))
    for strategy in icb dfs random depth cbpor dpor; do
        case $strategy in
        icb | cbpor) how="--strategy $strategy" ;;
        depth) how="--strategy dfs --bound none --depth $depth" ;;
        *) how="--strategy $strategy --bound none" ;;
        esac
        before=-1
        for limit in $points; do
            # shellcheck disable=SC2086
            measure "$@" $how --execs "$limit" --time "$((seconds * 5))s"
            [ "$executions" = "$before" ] && break
            before=$executions
            echo "$label,$strategy,$executions,$distinct" >>"$csv"
        done
        printf '%-28s %-8s %8s classes in %7s executions\n' "$label" "$strategy" "$distinct" \
            "$executions"
    done
}
title "Coverage growth (all points: $csv)"
echo 'program,strategy,executions,classes' >"$csv"
growth 'Bluetooth driver' "$programs/bluetooth.c" -DFIXED
growth 'file-system model' "$programs/file_system.c"
growth 'philosophers' "$programs/philosophers.c" -DORDERED -DMEALS=2
growth 'work-stealing queue' "$programs/work_stealing.c"
awk -f bench/coverage_plot.awk "$csv" >"$output/coverage.svg"
echo "plot: $output/coverage.svg"
exit $wrong
