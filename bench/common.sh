# shellcheck shell=bash
# Shared by the benchmarks, which source it: one check, its figures, and table cells.
#
# A search that is cut by its time limit prints its figure with a `>`: so many, and not finished.
# BENCH_SECONDS is the limit of one search; MAZUR names another command than the one built here.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mazur=${MAZUR:-bin/mazur}
jsonget=build/jsonget
programs=bench/programs
seconds=${BENCH_SECONDS:-2}
output=build/bench
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ -x "$jsonget" ] || make --no-print-directory "$jsonget" >/dev/null

# measure PROGRAM ARGUMENTS...: one search. Leaves the figures in $verdict, $executions, ...
# (what is not there is empty) and the processor time in $cpu, which other work on the machine
# disturbs less than $time. False, with Mazur's words, when there was no search.
measure() {
    local figures TIMEFORMAT='%U %S'
    rm -f "$scratch/result.json"
    { time "$mazur" check "$@" --no-trace --quiet --json "$scratch/result.json" \
        >"$scratch/text" 2>&1 || true; } 2>"$scratch/cpu"
    if ! [ -s "$scratch/result.json" ]; then
        cat "$scratch/text"
        return 1
    fi
    cpu=$(awk '{ print $1 + $2 }' "$scratch/cpu")
    mapfile -t figures < <("$jsonget" "$scratch/result.json" verdict executions distinct steps \
        seconds complete ended bound_done preemptions pruned transitions)
    verdict=${figures[0]} executions=${figures[1]} distinct=${figures[2]} steps=${figures[3]}
    time=${figures[4]} complete=${figures[5]} ended=${figures[6]} bound_done=${figures[7]}
    preemptions=${figures[8]} pruned=${figures[9]} transitions=${figures[10]}
}

# at_bound B: $executions and $distinct after bound B of the last search; false if it was not
# finished.
at_bound() {
    local figures count
    count=$("$jsonget" "$scratch/result.json" bounds.#)
    for ((i = 0; i < ${count:-0}; i++)); do
        mapfile -t figures < <("$jsonget" "$scratch/result.json" "bounds.$i.bound" \
            "bounds.$i.executions" "bounds.$i.distinct")
        if [ "${figures[0]}" = "$1" ]; then
            executions=${figures[1]} distinct=${figures[2]}
            return 0
        fi
    done
    return 1
}

# cell FIGURE: with a > where the search was cut
cell() {
    if [ "$ended" = searched ] || [ "$ended" = failure ]; then echo "$1"; else echo ">$1"; fi
}

# has STRATEGY: does this build know it?
has() {
    "$mazur" help strategies | cut -d" " -f1 | grep -qx "$1"
}

title() {
    printf '\n== %s ==\n' "$1"
}
