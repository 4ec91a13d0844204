#!/bin/bash
# Random programs with waiting loops (random_loops.c): leaving idle rounds out (--idle-rounds=skip)
# must show the same outcomes and the same kinds of failures as searching them (explore), without
# a bound and within each bound, in no more traces.
#
# Usage: loops.sh [PROGRAMS [FIRST-SEED]]     environment: SIZE (statements per thread, 3), KINDS
# (all, await, retry, races, assume), EXECS (4000), STRATEGIES, BOUNDS, FLAGS (-O1), CC, MAZUR
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
# shellcheck source=../jsonget.sh
. "$here/../jsonget.sh"
MAZUR=${MAZUR:-$here/../../bin/mazur}
programs=${1:-100} first=${2:-1} SIZE=${SIZE:-3} KINDS=${KINDS:-all} EXECS=${EXECS:-4000}
STRATEGIES=${STRATEGIES:-optimal dpor} BOUNDS=${BOUNDS:-0 1 2}
[ "$KINDS" != assume ] || BOUNDS= STRATEGIES="$STRATEGIES cbpor auto" # waiting makes a switch free: a bound has more traces
scratch=$(mktemp -d) || exit 70
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 70
make_jsonget . || exit 70
${CC:-cc} -shared -fPIC -o liboutcome.so "$here/outcome_call.c" || exit 70
# shellcheck disable=SC2086 # words
MAZUR_CC=${CC:-cc} "$MAZUR" cc ${FLAGS:--O1} -g "$here/random_loops.c" -o program -L. -loutcome "-Wl,-rpath,$scratch" || exit 70

# ask MODE STRATEGY OPTIONS: writes outcomes.MODE (sorted), sets executions, distinct, failures
ask() {
    local i count
    rm -f outcomes
    # shellcheck disable=SC2086 # words
    OUTCOMES=$scratch/outcomes timeout "$PATIENCE" "$MAZUR" run --quiet --no-trace "--idle-rounds=$1" --strategy "$2" \
        $3 --execs "$EXECS" --time 0 --keep-going --simplify 0 --json result.json ./program "$seed" "$SIZE" "$KINDS" \
        >output.txt 2>&1 </dev/null
    code=$?
    touch outcomes
    sort -u outcomes >"outcomes.$1"
    { read -r executions; read -r distinct; read -r count; } < <(./jsonget result.json executions distinct 'failures.#')
    failures=$(for ((i = 0; i < ${count:-0}; i++)); do ./jsonget result.json "failures.$i.kind"; done | sort -u)
    case $code in 0 | 1 | 2 | 3 | 7 | 11 | 12) ;; *) complain "$1 $2 $3" "ends with code $code" ;; esac
}

wrong=0 compared=0 before=0 after=0
complain() {
    echo "FAIL seed $seed, size $SIZE $KINDS, $1: $2"
    [ "$seed" = "${printed:-}" ] || ./program "$seed" "$SIZE" "$KINDS" print
    printed=$seed
    wrong=$((wrong + 1))
}

# compare STRATEGY OPTIONS
compare() {
    local lost more expected traces
    ask explore "$1" "$2"
    [ "$executions" -lt "$EXECS" ] || return
    expected=$failures traces=$distinct
    ask skip "$1" "$2"
    compared=$((compared + 1)) before=$((before + traces)) after=$((after + distinct))
    lost=$(comm -23 outcomes.explore outcomes.skip | wc -l)
    more=$(comm -13 outcomes.explore outcomes.skip | wc -l)
    [ "$lost$more" = 00 ] || complain "$1 $2" "lacks $lost outcomes of $(wc -l <outcomes.explore), has $more more"
    [ "$failures" = "$expected" ] || complain "$1 $2" "failures are ${failures//$'\n'/ }, not ${expected//$'\n'/ }"
    [ "$distinct" -le "$traces" ] || complain "$1 $2" "has $distinct traces, $traces with idle rounds"
}

for ((seed = first; seed < first + programs; seed++)); do
    for strategy in $STRATEGIES; do
        compare "$strategy" ""
    done
    for bound in $BOUNDS; do
        compare cbpor "--bound $bound"
    done
done
echo "$programs random programs, $compared comparisons: $before traces with idle rounds, $after without;" \
    "$wrong differences"
[ "$wrong" = 0 ]
