#!/bin/bash
# Random native programs that report their outcomes (random_outcomes.c, random_events.c,
# random_cxx.cpp): every strategy must see exactly the outcomes that all interleavings have,
# without a bound and within bounds 0, 1, 2.
#
# The reference is icb, which has no reduction, if it finishes within EXECS executions;
# otherwise dpor, and icb within the bounds that it completes. The script compares the set of
# outcomes, the set of failures (kind and place), the number of happens-before classes and,
# within a bound, traces_within_bound. Executions of auto may exceed the bound.
#
# Usage: outcomes.sh [PROGRAMS [FIRST-SEED]]     environment: GENERATOR (random_outcomes), SIZE (operations per thread, 3), KINDS (all),
# EXECS (20000), STRATEGIES, BOUNDS, OPTIONS (more options for every run), MAZUR
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
# shellcheck source=../jsonget.sh
. "$here/../jsonget.sh"
MAZUR=${MAZUR:-$here/../../bin/mazur}
programs=${1:-100} first=${2:-1} GENERATOR=${GENERATOR:-random_outcomes}
SIZE=${SIZE:-3} KINDS=${KINDS:-all} EXECS=${EXECS:-20000} OPTIONS=${OPTIONS:---races=explore}
STRATEGIES=${STRATEGIES:-auto dfs bpor cbpor cbpor-1 dpor optimal sdpor} BOUNDS=${BOUNDS:-0 1 2}
scratch=$(mktemp -d) || exit 70
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 70
make_jsonget . || exit 70
${CC:-cc} -shared -fPIC -o liboutcome.so "$here/outcome_call.c" || exit 70
library=(-L. -loutcome "-Wl,-rpath,$scratch")
case $GENERATOR in
*cxx) "$MAZUR" c++ -std=c++20 -O1 -g "$here/$GENERATOR.cpp" -o program "${library[@]}" || exit 70 ;;
*) "$MAZUR" cc -O1 -g "$here/$GENERATOR.c" -o program "${library[@]}" || exit 70 ;;
esac

# Writes outcomes.$3 (sorted) and sets code, executions, distinct, traces, failures to what
# strategy $1 with options $2 reports for the program.
ask() {
    local i count bounds
    rm -f outcomes
    # shellcheck disable=SC2086 # words
    OUTCOMES=$scratch/outcomes timeout "$PATIENCE" "$MAZUR" run --quiet --no-trace --strategy "$1" $2 --execs "$EXECS" \
        --time 0 --keep-going --simplify 0 --json result.json $OPTIONS ./program "$seed" "$SIZE" \
        "$KINDS" >output.txt 2>&1 </dev/null
    code=$?
    touch outcomes
    sort -u outcomes >"outcomes.$3"
    { read -r executions; read -r distinct; read -r cut; read -r complete; read -r count; read -r bounds; } < \
        <(./jsonget result.json executions distinct depth_cut complete 'failures.#' 'traces_within_bound.#')
    failures=$(for ((i = 0; i < ${count:-0}; i++)); do
        echo "$(./jsonget result.json "failures.$i.kind") $(./jsonget result.json "failures.$i.location")"
    done | sort -u)
    # once a search has left nothing out within a bound, the number stays the same
    traces=$(for ((i = 0; i < ${bounds:-0}; i++)); do ./jsonget result.json "traces_within_bound.$i"; done | uniq)
    case $code in 0 | 1 | 2 | 3 | 7 | 11 | 12) ;; *) complain "$1 $2" "ends with code $code" ;; esac
}

wrong=0 decided=0
complain() {
    echo "FAIL $GENERATOR seed $seed, size $SIZE $KINDS $OPTIONS, $1: $2"
    [ "$seed" = "${printed:-}" ] || ./program "$seed" "$SIZE" "$KINDS" print
    printed=$seed
    wrong=$((wrong + 1))
}

# compare STRATEGY OPTIONS: with the reference
compare() {
    local lost more
    ask "$1" "$2" now
    [ "$executions" -lt "$EXECS" ] || return
    lost=$(comm -23 outcomes.reference outcomes.now | wc -l)
    more=0
    [ ! -f "outcomes.${3:-reference}" ] || more=$(comm -13 "outcomes.${3:-reference}" outcomes.now | wc -l)
    [ "$lost$more" = 00 ] || complain "$1 $2" "lacks $lost outcomes of $(wc -l <outcomes.reference), has $more more"
    [ "$failures" = "$reference_failures" ] ||
        complain "$1 $2" "failures differ: $failures / $reference_failures"
    [ "$cut" = "$reference_cut" ] || complain "$1 $2" "depth_cut $cut, reference $reference_cut"
}

# reference STRATEGY OPTIONS: what the others are compared with; false if it does not finish.
reference() {
    ask "$1" "$2" reference
    reference_failures=$failures reference_traces=$traces reference_distinct=$distinct
    reference_cut=$cut reference_complete=$complete
    [ "$executions" -lt "$EXECS" ]
}

# Without a bound, after reference(): every strategy.
compare_unbounded() {
    local strategy
    for strategy in $STRATEGIES; do
        compare "$strategy" ""
        [ "$executions" -lt "$EXECS" ] || continue
        [ "$strategy" = sdpor ] || [ "$distinct" = "$reference_distinct" ] ||
            complain "$strategy" "counts $distinct classes, $1 $reference_distinct"
        [ "$strategy" = sdpor ] || [ "$complete" = "$reference_complete" ] ||
            complain "$strategy" "complete is $complete, of $1 $reference_complete"
    done
}

# Within a bound, after reference(): those that take one.
compare_bounded() {
    local strategy
    for strategy in $STRATEGIES; do
        case $strategy in
        auto) compare auto "--bound $1 --count-traces" all ;;
        cbpor | cbpor-1) compare "$strategy" "--bound $1 --count-traces" ;;
        bpor | dfs)
            compare "$strategy" "--bound $1"
            continue
            ;;
        *) continue ;;
        esac
        [ "$traces" = "$reference_traces" ] || [ -z "$traces" ] ||
            complain "$strategy --bound $1" "counts ${traces//[[:space:]]/ } traces, icb ${reference_traces//[[:space:]]/ }"
    done
}

reduced=0 bounded=0
for ((seed = first; seed < first + programs; seed++)); do
    rm -f outcomes.all
    if reference icb ""; then
        decided=$((decided + 1))
        compare_unbounded icb
        cp outcomes.reference outcomes.all
    elif reference dpor ""; then
        reduced=$((reduced + 1))
        compare_unbounded dpor
        cp outcomes.reference outcomes.all
    fi
    for bound in $BOUNDS; do
        reference icb "--bound $bound --count-traces" || break
        bounded=$((bounded + 1))
        compare_bounded "$bound"
    done
done
echo "$programs random programs: $decided compared with every interleaving, $reduced more with dpor," \
    "$bounded times within a bound: $wrong differences"
[ "$wrong" = 0 ]
