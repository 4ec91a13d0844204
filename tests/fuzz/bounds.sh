#!/bin/bash
# Random models within bounds on preemptions: with reduction (--por on) and with hashed states a search finds what
# the plain one finds within the same bound, and nothing that no execution does.
#
# Usage: bounds.sh [MODELS [FIRST-SEED]]      environment: MAZUR, VALUES (1 or ltl: random_values.c, else random_channels.c),
# PROPERTY (options of all searches, such as --progress), WAYS (options of the other searches, one per line), KEEP (a folder
# for models that differ)
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
MAZUR=$(realpath "${MAZUR:-$here/../../bin/mazur}")
models=${1:-100} first=${2:-1}
mapfile -t ways <<<"${WAYS:-$'--por on\n--por on --store compact\n--store bitstate'}"
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O1 -o "$work/random_channels" "$here"/random_channels.c || exit 70
${CC:-cc} -O1 -o "$work/random_values" "$here"/random_values.c || exit 70
cd "$work" || exit 70
wrong=0 compared=0 undecided=0 within=0 beyond=0

search() { # OPTIONS: sets found to yes, no, or nothing where the search did not end
    # shellcheck disable=SC2086
    timeout "$PATIENCE" "$MAZUR" model m.pml --quiet --no-trace --tier 1 --memory 200M --time 20 ${PROPERTY:-} $1 \
        --json json >out 2>err
    local status=$?
    found=
    [ $status -gt 3 ] && { echo "seed $seed, $1: exit $status: $(head -n 1 err)"; wrong=$((wrong + 1)); }
    [ $status -ge 1 ] && [ $status -le 3 ] && found=yes
    [ $status = 0 ] && ! grep -q '"truncated_by": "' json && found=no
}

differs() { # WHAT
    wrong=$((wrong + 1))
    echo "seed $seed: $1"
    [ -z "${KEEP:-}" ] || cp m.pml "$KEEP/$seed.pml"
}

for ((seed = first; seed < first + models; seed++)); do
    if [ -n "${VALUES:-}" ]; then ./random_values "$seed" ${VALUES#1}; else ./random_channels "$seed"; fi >m.pml
    search "--por off --optimize off"
    all=$found
    for bound in 0 1 2; do
        search "--por off --optimize off --bound $bound"
        plain=$found
        [ "$plain" = yes ] && [ "$all" = no ] && differs "within $bound there is a failure, without a bound none"
        [ "$plain" = yes ] && within=$((within + 1))
        [ "$plain" = no ] && [ "$all" = yes ] && beyond=$((beyond + 1))
        for way in "${ways[@]}"; do
            search "$way --bound $bound"
            if [ -z "$found" ] || [ -z "$plain" ]; then
                undecided=$((undecided + 1))
                continue
            fi
            compared=$((compared + 1))
            [ "$plain" = yes ] && [ "$found" = no ] && differs "$way: misses a failure within $bound"
            [ "$all" = no ] && [ "$found" = yes ] && differs "$way: a failure within $bound that is none"
        done
    done
done
echo "$compared searches compared ($within with a failure within the bound, $beyond with one beyond it), $undecided undecided, $wrong wrong"
[ $wrong = 0 ] && [ $compared -gt 0 ]
