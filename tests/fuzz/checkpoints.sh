#!/bin/bash
# Random programs whose main does a lot before its first thread (random_setup.c): with checkpoints
# (--checkpoints=always: there and on the path) a search must be the same, execution by execution, as without (off), and main
# must hardly ever do it again.
#
# Usage: checkpoints.sh [PROGRAMS [FIRST-SEED]]     environment: SIZE (statements per thread, 3), EXECS
# (300), STRATEGIES, MAZUR
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
MAZUR=${MAZUR:-$here/../../bin/mazur}
programs=${1:-100} first=${2:-1} SIZE=${SIZE:-3} EXECS=${EXECS:-300}
STRATEGIES=${STRATEGIES:-auto optimal dpor cbpor dfs icb random}
scratch=$(mktemp -d) || exit 70
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 70
${CC:-cc} -shared -fPIC -o liboutcome.so "$here/outcome_call.c" || exit 70
"$MAZUR" cc -O1 -g "$here/random_setup.c" -o program -L. -loutcome "-Wl,-rpath,$scratch" || exit 70

# ask MODE STRATEGY OPTIONS: writes outcomes.MODE, in the order of the executions, and result.MODE; adds
# to setups.MODE
ask() {
    rm -f outcomes
    # shellcheck disable=SC2086 # words
    SETUPS=$scratch/setups.$1 OUTCOMES=$scratch/outcomes timeout "$PATIENCE" "$MAZUR" run --quiet --no-trace "--checkpoints=$1" --strategy "$2" \
        $3 --execs "$EXECS" --time 0 --keep-going --simplify 0 --json result.json ./program "$seed" "$SIZE" \
        >output.txt 2>&1 </dev/null
    echo "code $?" >"result.$1"
    grep -vE '"(seconds|executions_per_second|resume)"' result.json >>"result.$1"
    touch outcomes
    mv outcomes "outcomes.$1"
}

wrong=0 compared=0 executions=0
# compare STRATEGY OPTIONS
compare() {
    ask off "$1" "$2"
    ask always "$1" "$2"
    compared=$((compared + 1)) executions=$((executions + $(wc -l <outcomes.off)))
    if ! cmp -s outcomes.off outcomes.always || ! cmp -s result.off result.always; then
        echo "FAIL seed $seed, size $SIZE, $1 $2: $(wc -l <outcomes.off) outcomes without checkpoints," \
            "$(wc -l <outcomes.always) with"
        diff result.off result.always
        wrong=$((wrong + 1))
    fi
}

for ((seed = first; seed < first + programs; seed++)); do
    for strategy in $STRATEGIES; do
        compare "$strategy" ""
    done
    compare auto "--races=explore"
    compare auto "--leaks"
done
before=$(wc -l <setups.off) after=$(wc -l <setups.always)
echo "$programs random programs, $compared comparisons, $executions executions, $before of which began with main" \
    "without checkpoints, $after with: $wrong differences"
[ "$wrong" = 0 ] && [ $((after * 4)) -lt $((before * 3)) ]
