#!/bin/bash
# Random native programs (random_program.c): every strategy must agree with the search over all
# interleavings.
#
# The reference is icb, which has no reduction, with up to EXECS executions. If it finds a
# failure or covers everything:
#   - strategies with a preemption bound fail at the same bound, or cover everything too;
#   - the others fail too, or cover everything;
#   - whoever covers everything counts the same happens-before classes.
# If it does not finish, the reductions are compared with each other.
#
# Usage: native.sh [PROGRAMS [FIRST-SEED]]     environment: SIZE (operations per thread, 3), KINDS
# (basic; wide: rarer calls too; loops: mostly idle loops and regions), EXECS (20000), STRATEGIES, OPTIONS (more options for every run), MAZUR, KEEP
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
# shellcheck source=../jsonget.sh
. "$here/../jsonget.sh"
MAZUR=${MAZUR:-$here/../../bin/mazur}
programs=${1:-200} first=${2:-1}
SIZE=${SIZE:-3} KINDS=${KINDS:-basic} EXECS=${EXECS:-20000} OPTIONS=${OPTIONS:-}
STRATEGIES=${STRATEGIES:-auto bpor cbpor cbpor-1 dpor optimal sdpor}
scratch=$(mktemp -d) || exit 70
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 70
make_jsonget . || exit 70
"$MAZUR" cc -O1 -g "$here/random_program.c" -o random_program || exit 70

# Sets verdict, bound, complete, executions, distinct to what strategy $1 reports for program
# $2. All kinds of failure are one verdict: if a program has two at the same bound, either may
# be found first.
ask() {
    local code
    # shellcheck disable=SC2086 # words
    timeout "$PATIENCE" "$MAZUR" run --quiet --strategy "$1" --execs "$EXECS" --time 0 \
        --json result.json --trace-dir traces $OPTIONS ./random_program "$2" "$SIZE" "$KINDS" \
        >output.txt 2>&1 </dev/null
    code=$?
    case $code in
    0) verdict=passed ;;
    1 | 2 | 3 | 7 | 12) verdict=failed ;;
    *) verdict="code $code" ;;
    esac
    { read -r bound; read -r complete; read -r executions; read -r distinct; } < \
        <(./jsonget result.json bound complete executions distinct)
    # with --keep-going a search that has seen everything is not called complete if it failed
    case $OPTIONS in *--keep-going*) [ "$executions" -ge "$EXECS" ] || complete=true ;; esac
}

# sdpor prunes at states that it has seen: it does not run every class, and if it can't exclude
# that a race depends on the path to a state, it does not call the search complete.
stateful() {
    [ "$1" = sdpor ] && { [ "$verdict" = failed ] || grep -q "without the race detector's clocks" result.json; }
}

bounded() {
    case $1 in auto | bpor | cbpor | cbpor-1 | icb) true ;; *) false ;; esac
}

wrong=0 decided=0
complain() {
    echo "FAIL seed $seed, size $SIZE $KINDS $OPTIONS, $1: $2"
    ./random_program "$seed" "$SIZE" "$KINDS" print
    wrong=$((wrong + 1))
}

for ((seed = first; seed < first + programs; seed++)); do
    ask icb "$seed"
    reference=$verdict least=$bound all=$complete classes=$distinct
    known= judge=icb
    [ "$reference" = failed ] || [ "$all" = true ] && known=1
    [ -z "$known" ] || decided=$((decided + 1))
    for strategy in $STRATEGIES; do
        ask "$strategy" "$seed"
        if [ "${verdict#code}" != "$verdict" ]; then
            complain "$strategy" "ends with $verdict"
        elif [ -n "$known" ] && [ "$verdict" != "$reference" ] &&
            { [ "$verdict" = failed ] || [ "$executions" -lt "$EXECS" ]; }; then
            complain "$strategy" "$verdict, but $judge $reference at bound $least"
        elif [ "$verdict" = failed ] && bounded "$strategy" && [ -n "$known" ] &&
            [ "$bound" != "$least" ]; then
            complain "$strategy" "fails at bound $bound, but $judge at $least"
        elif [ "$verdict" = failed ] && [ -z "$known" ] && bounded "$strategy" &&
            [ "$bound" -lt "$least" ]; then
            complain "$strategy" "fails at bound $bound, which icb covered"
        elif [ "$verdict" = passed ] && [ "$complete" != true ] && [ "$executions" -ge "$EXECS" ]; then
            : # it did not finish within the limit
        elif [ "$all" = true ] && [ "$complete" != true ]; then
            stateful "$strategy" || complain "$strategy" "does not come to an end, $judge does"
        elif [ "$all" = true ] && [ "$strategy" = sdpor ] && [ "$distinct" -le "$classes" ]; then
            :
        elif [ "$all" = true ] && [ "$distinct" != "$classes" ]; then
            complain "$strategy" "counts $distinct classes, $judge $classes"
        elif [ -z "$known" ] && [ "$complete" = true ] && [ "$strategy" != sdpor ]; then
            # the first reduction that finishes is the reference for the others
            known=1 judge=$strategy reference=$verdict all=true classes=$distinct least=0
        elif [ -z "$known" ] && [ "$verdict" = failed ] && bounded "$strategy"; then
            known=1 judge=$strategy reference=failed least=$bound
        fi
    done
done
echo "$programs random programs, $decided decided by every interleaving, $wrong differences"
[ "$wrong" = 0 ]
