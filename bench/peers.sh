#!/bin/bash
# Mazur beside other checkers, on the same sources, in one run: processor seconds of the whole tree of
# processes, compilation included, median of RUNS. A cell also has the number of executions where it is
# not the number of traces. The tools take turns, so that a busy machine disturbs all of them alike.
#
# Usage: bench/peers.sh [ROW…]         rows whose name contains a ROW; default: all
# Environment:
#     RUNS=5            runs of each cell
#     LIMIT=60          seconds by the clock for one run; `>` marks a run that did not end
#     GENMC_TESTS=DIR   a checkout of GenMC: rows that need its tests (tests/correct/data-structures) are
#                       left out without it. Nothing of it is kept.
#     CLANG=clang       makes the bitcode for nidhugg: of the LLVM that it was built with
# genmc, nidhugg and nidhuggc are looked for on PATH; what is not there is left out, with a sentence.
. "$(dirname "$0")/common.sh"
runs=${RUNS:-5}
limit=${LIMIT:-60}
tests=${GENMC_TESTS:+$GENMC_TESTS/tests/correct/data-structures}

columns=()
for peer in genmc nidhugg; do
    if command -v $peer >/dev/null; then
        columns+=("$peer")
    else
        echo "$peer is not on PATH: its column is left out"
    fi
done
clang=${CLANG:-clang} # of the LLVM that nidhugg was built with
columns+=(auto optimal dpor)
[ -n "$tests" ] || echo "GENMC_TESTS is not set: rows that need GenMC's own tests are left out"

# spend COMMAND...: its processor seconds in $spent, its output in $scratch/out
spend() {
    local TIMEFORMAT='%U %S'
    ended=yes
    { time timeout "$limit" "$@" >"$scratch/out" 2>&1 || [ $? != 124 ] || touch "$scratch/late"; } \
        2>"$scratch/cpu"
    [ ! -e "$scratch/late" ] || ended=no
    rm -f "$scratch/late"
    spent=$(awk '{ printf "%.2f", $1 + $2 }' "$scratch/cpu")
}

# One run of a program: $spent, $ended, and $count, the executions that the tool reports.
run_genmc() { # SOURCE FLAGS...
    spend genmc --sc --disable-estimation -- "${@:2}" "$1"
    count=$(sed -n 's/^Number of complete executions explored: //p' "$scratch/out")
}

run_nidhugg() {
    spend nidhuggc -DNIDHUGG "-I$scratch/shim" "${@:2}" -- "--clang=$clang" "--nidhugg=$(command -v nidhugg)" --sc \
        --optimal --no-commute-rmws "$1"
    count=$(sed -n 's/^Trace count: \([0-9]*\).*/\1/p' "$scratch/out")
}

# With an empty cache: the others compile each time, too.
run_mazur() { # STRATEGY SOURCE FLAGS...
    rm -rf "$scratch/cache"
    spend env XDG_CACHE_HOME="$scratch/cache" "$mazur" check --no-trace --quiet --time "${limit}s" --strategy "$1" "$2" -DMAZUR \
        "-I$scratch/shim" "${@:3}"
    grep -q 'complete: every' "$scratch/out" || ended=no
    count=$(sed -n 's/.* in \([0-9,]*\) executions.*/\1/p' "$scratch/out" | tr -d ,)
}

run_cell() { # COLUMN SOURCE FLAGS...
    case $1 in
    genmc | nidhugg) run_"$1" "${@:2}" ;;
    *) run_mazur "$@" ;;
    esac
}

# row NAME TRACES SOURCE FLAGS...: all columns, in turn
row() {
    local name=$1 traces=$2 source=$3 column i
    local -A seconds=() counts=() mark=()
    [[ -z $wanted || $name == *$wanted* ]] || return 0
    for ((i = 0; i < runs; i++)); do
        for column in "${columns[@]}"; do
            [ -z "${mark[$column]:-}" ] || continue # once over the limit is enough
            run_cell "$column" "$source" "${@:4}"
            seconds[$column]+="$spent "
            counts[$column]=$count
            [ $ended = yes ] || mark[$column]='>'
        done
    done
    printf '| %s (%s) |' "$name" "$traces"
    for column in "${columns[@]}"; do
        printf ' %s%s' "${mark[$column]:-}" "$(tr ' ' '\n' <<<"${seconds[$column]}" | grep . | sort -n |
            awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')"
        [ "${counts[$column]}" = "$traces" ] || printf ' (%s)' "${counts[$column]:-no answer}"
        printf ' |'
    done
    printf '\n'
}

# theirs NAME TRACES FOLDER VARIANT FLAGS...: a test of GenMC. Its main returns while threads run, which
# ends a real process: the wrapper waits for them.
theirs() {
    [ -n "$tests" ] || return 0
    cat >"$scratch/$3.c" <<WRAPPER
#include <stdint.h>
#define main start_threads
#include "$tests/$3/variants/$4"
#undef main
int main(void)
{
    start_threads();
    pthread_exit(0);
}
WRAPPER
    row "$1" "$2" "$scratch/$3.c" "${@:5}"
}

# What the tests take from GenMC's header, for the other tools.
mkdir "$scratch/shim"
cat >"$scratch/shim/genmc.h" <<'SHIM'
#ifdef MAZUR
#include <mazur.h>
#define __VERIFIER_assume(condition) mazur_assume(condition)
#else
void __VERIFIER_assume(int);
#endif
SHIM

print_head() {
    printf '| program (traces) |'
    printf ' %s |' "${columns[@]}"
    printf '\n|---|'
    printf '%0.s---|' "${columns[@]}"
    printf '\n'
}

measure_rows() {
    row 'casw 5' 32880 $programs/peers.c -DCASW -DN=5
    row 'cinc 4' 13824 $programs/peers.c -DCINC -DN=4
    row 'big0' 69112 $programs/peers.c -DBIG
    row 'fib' 218243 $programs/peers.c -DFIB
    row 'rmw' 216 $programs/peers.c -DRMW
    row 'rmw + 100 private' 216 $programs/peers.c -DRMW -DP=100
    row 'rmw + 1000 private' 216 $programs/peers.c -DRMW -DP=1000
    row 'ticketlock 5' 120 $programs/peers.c -DTICKET -DN=5
    row 'ttaslock 4' 576 $programs/peers.c -DTTAS -DN=4
    row 'assume-exp' 256 $programs/peers.c -DASSUME
    theirs 'chase-lev' 3065 chase-lev chase-lev0.c -DCONFIG_DEQ_STEALERS=2
    theirs 'mutex 3' 6582 mutex main0.c -DN=3
    theirs 'treiber rw3' 3600 treiber-stack main0.c -DCONFIG_STACK_READERS=0 -DCONFIG_STACK_WRITERS=0 \
        -DCONFIG_STACK_RDWR=3
    theirs 'ms-queue 2w2r' 634 ms-queue main0.c -DCONFIG_QUEUE_READERS=2 -DCONFIG_QUEUE_WRITERS=2
}

title "Processor seconds beside other checkers, median of $runs ($(date -u +%F), $(nproc) processors, \
load $(cut -d' ' -f1 /proc/loadavg) before)"
print_head
[ $# -gt 0 ] || set -- ''
for wanted; do measure_rows; done
echo "load $(cut -d' ' -f1 /proc/loadavg) after"
