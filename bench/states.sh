#!/bin/bash
# Paper 003: the sizes of its programs (Table 1), how much of all states few preemptions reach
# (Figures 1 and 3), and how the states visited grow with the executions (Figures 2, 5 and 6). States are
# happens-before states (--count-states). What the paper prints is beside it: `paper` in the table, circles in the
# drawings.
#
# Writes states_by_bound.csv, states_growth.csv and an SVG of each to build/bench; with --docs the drawings go to
# docs/. Fails where two searches that visit every state disagree on how many there are.
. "$(dirname "$0")/common.sh"
mkdir -p "$output"
by_bound=$output/states_by_bound.csv growth=$output/states_growth.csv
wrong=0

json() { # FIELD…: of the last search
    "$jsonget" "$scratch/result.json" "$@" | paste -sd' '
}

title 'Paper 003, Table 1: the largest K, B and c of any execution (dfs, and what the paper has)'
printf '%-24s %8s %6s %6s %6s   %s\n' program threads K B c 'paper: threads K B c'
sizes() { # LABEL PAPER ARGUMENTS...
    local label=$1 paper=$2
    shift 2
    measure "$@" --strategy dfs --bound none --time "${seconds}s"
    # shellcheck disable=SC2046
    printf '%-24s %8s %6s %6s %6s   %s\n' "$label" $(json threads most_steps most_blocking most_preemptions) "$paper"
}
sizes 'Bluetooth driver' '3 15 2 8' "$programs/bluetooth.c" -DFIXED
sizes 'file-system model' '4 20 8 13' "$programs/file_system.c"
sizes 'work-stealing queue' '3 99 2 35' "$programs/work_stealing.c"
sizes 'APE' '4 247 2 75' "$programs/ape.c"
sizes 'Dryad channel' '5 273 4 167' "$programs/dryad_channel.c" -DFIXED -DWORKERS=4

# share LABEL ARGUMENTS...: percent of all states within each bound; icb must agree where it gets that far
share() {
    local label=$1 count i bound states all line=''
    shift
    measure "$@" --strategy cbpor-1 --count-states --time "$((seconds * 10))s"
    [ "$complete" = true ] || { printf '%-24s not finished\n' "$label"; return; }
    all=$(json states) count=$(json bounds.#)
    for ((i = 0; i < count; i++)); do
        read -r bound states <<<"$(json "bounds.$i.bound" "bounds.$i.states")"
        line+=$(printf ' %5.1f' "$(awk "BEGIN { print 100 * $states / $all }")")
        echo "$label,states,$bound,$(awk "BEGIN { print 100 * $states / $all }")" >>"$by_bound"
    done
    printf '%-24s %7d states:%s\n' "$label" "$all" "$line"
    measure "$@" --strategy icb --count-states --time "${seconds}s"
    [ "$complete" != true ] || [ "$(json states)" = "$all" ] || wrong=1
}
printed() { # LABEL BOUND PERCENT
    echo "$1,paper,$2,$3" >>"$by_bound"
}
title 'Paper 003, Figures 1 and 3: percent of all states within bound 0, 1, 2, …'
echo 'program,series,bound,percent' >"$by_bound"
share 'Bluetooth driver' "$programs/bluetooth.c" -DFIXED
printed 'Bluetooth driver' 4 100
share 'file-system model' "$programs/file_system.c" -DTHREADS=3 -DINODES=2
printed 'file-system model' 4 100
share 'transaction manager' "$programs/transaction_manager.c"
printed 'transaction manager' 6 90
share 'work-stealing queue' "$programs/work_stealing.c" -DPAPER
printed 'work-stealing queue' 8 90
printed 'work-stealing queue' 11 100

# grow LABEL ARGUMENTS...: the curves of the first thousand executions
grow() {
    local label=$1 how series depth i count
    shift
    measure "$@" --strategy dfs --bound none --execs 1
    depth=$steps
    for series in icb dfs random "db:$((depth / 2))" "db:$((depth * 3 / 4))" cbpor; do
        case $series in
        icb | cbpor) how="--strategy $series" ;;
        db:*) how="--strategy dfs --bound none --depth ${series#db:}" ;;
        *) how="--strategy $series --bound none" ;;
        esac
        # shellcheck disable=SC2086
        measure "$@" $how --count-states --execs 1000 --time "$((seconds * 5))s"
        count=$(json states_growth.#)
        case $series in db:*) [ "$series" = "db:$((depth / 2))" ] && how='db: half' || how='db: 3/4' ;; *) how=$series ;; esac
        for ((i = 0; i < ${count:-0}; i++)); do
            # shellcheck disable=SC2046
            echo "$label,$how,$(json "states_growth.$i.executions" "states_growth.$i.states" | tr ' ' ,)" >>"$growth"
        done
        printf '%-24s %-8s %8s states in %6s executions\n' "$label" "$how" "$(json states)" "$executions"
    done
}
title 'Paper 003, Figures 2, 5 and 6: states visited by the first 1,000 executions'
echo 'program,strategy,executions,states' >"$growth"
grow 'work-stealing queue' "$programs/work_stealing.c"
grow 'APE' "$programs/ape.c"
grow 'Dryad channel' "$programs/dryad_channel.c" -DFIXED -DWORKERS=4

awk -v what='percent of all states' -v across='preemptions' -v scale=linear -f bench/coverage_plot.awk "$by_bound" >"$output/states_by_bound.svg"
awk -v what='states' -f bench/coverage_plot.awk "$growth" >"$output/states_growth.svg"
[ "${1:-}" != --docs ] || cp "$output"/states_by_bound.svg "$output"/states_growth.svg docs/
echo "drawings: $output/states_by_bound.svg, $output/states_growth.svg"
exit $wrong
