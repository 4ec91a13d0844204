#!/bin/bash
# Random models (random_channels.c, with CHANNELS=structures its other kind; with STARTS=1 random_starts.c; with VALUES=1 or VALUES=ltl random_values.c;
# with FEATURES random_model.c): the verdicts of the reduced search are those of the full one, and so are the
# statements that are never reached. Looks at failures of any kind: which one is found first, or shown, may differ.
#
# Usage: reduction.sh [MODELS [FIRST-SEED [FEATURE...]]]      environment: MAZUR, CHANNELS, STARTS, VALUES, KEEP (a folder for
# models that differ), OPTIONS (more options for both searches),
# REDUCED (options of the second search instead of --por on)
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
MAZUR=$(realpath "${MAZUR:-$here/../../bin/mazur}")
models=${1:-200} first=${2:-1}
shift $(($# < 2 ? $# : 2))
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O1 -o "$work/random_channels" "$here"/random_channels.c || exit 70
${CC:-cc} -O1 -o "$work/random_starts" "$here"/random_starts.c || exit 70
${CC:-cc} -O1 -o "$work/random_values" "$here"/random_values.c || exit 70
${CC:-cc} -O1 -o "$work/random_model" "$here"/random_model.c "$here"/random_statement.c || exit 70
cd "$work" || exit 70
wrong=0 compared=0 undecided=0 failing=0 fewer=0 refused=0

verdict() { # OPTIONS: sets found to yes, no, or nothing where the search did not end
    # shellcheck disable=SC2086
    timeout "$PATIENCE" "$MAZUR" model m.pml --quiet --no-trace --memory 500M --time 20 ${OPTIONS:-} $1 \
        --json json >out 2>err
    local status=$?
    found=
    states=$(sed -n 's/^  "states": \([0-9]*\),*$/\1/p' json)
    unreached=$(sed -n '/^  "unreached": \[/{:a;p;/\]/q;n;ba}' json)
    [ $status = 64 ] && return 1 # as Spin does, for instance a loop of gotos; random_channels.c and its like make none
    [ $status -gt 3 ] && { echo "seed $seed: exit $status: $(head -n 1 err)"; wrong=$((wrong + 1)); }
    [ $status -ge 1 ] && [ $status -le 3 ] && found=yes
    [ $status = 0 ] && grep -q '"complete": true' json && found=no
    return 0
}

for ((seed = first; seed < first + models; seed++)); do
    if [ $# -gt 0 ]; then
        ./random_model "$seed" "$@"
    elif [ -n "${STARTS:-}" ]; then
        ./random_starts "$seed"
    elif [ -n "${VALUES:-}" ]; then
        ./random_values "$seed" ${VALUES#1}
    else
        ./random_channels "$seed" ${CHANNELS:-}
    fi >m.pml
    if ! verdict "--por off --optimize off"; then
        [ $# -gt 0 ] && refused=$((refused + 1)) && continue
        echo "seed $seed: refused: $(head -n 1 err)"
        wrong=$((wrong + 1))
        continue
    fi
    full=$found all=$states never=$unreached
    verdict "${REDUCED---por on}"
    if [ -z "$full" ] || [ -z "$found" ]; then
        undecided=$((undecided + 1))
        continue
    fi
    compared=$((compared + 1))
    [ "$full" = yes ] && failing=$((failing + 1))
    [ "$full" = no ] && [ "$states" -lt "$all" ] && fewer=$((fewer + 1))
    if [ "$full" = "$found" ] && [ "$full" = no ] && [ "$never" != "$unreached" ]; then
        wrong=$((wrong + 1))
        echo "seed $seed: never reached by the full search: $(tr -d '\n ' <<<"$never"), by the reduced: $(tr -d '\n ' <<<"$unreached")"
        [ -z "${KEEP:-}" ] || cp m.pml "$KEEP/$seed.pml"
    fi
    if [ "$full" != "$found" ]; then
        wrong=$((wrong + 1))
        echo "seed $seed: full search: $full, reduced: $found"
        [ -z "${KEEP:-}" ] || cp m.pml "$KEEP/$seed.pml"
    fi
done
echo "$compared models compared ($failing of them fail, $fewer have fewer states reduced)," \
    "$undecided not decided, $refused refused, $wrong wrong"
[ $wrong = 0 ]
