#!/bin/bash
# The search itself beside Spin's at its best: `pan` compiled with -O3, its compiler's time left out. Of Mazur
# everything is counted: translation, both compilers (also the one that is stopped when the verdict is there),
# search, report. Seconds of the processor, user and system, of the whole process tree; the two in turn, ROUNDS times
# (5), the median of each. Spin's hash table is as large as it wants (-w24).
#
#   plain      every state of the plain semantics, no reduction: both search the same states
#   defaults   optimisation and reduction of both, all errors counted: each searches its own states
#
# Bars: 1.5 times as fast on each, 2 times in the geometric mean. Exit status 1 if one was missed.
# Usage: bench/search_speed.sh [plain | defaults]      environment: ROUNDS, MAZUR
set -u
cd "$(dirname "$0")/.." || exit 70
MAZUR=$(realpath "${MAZUR:-bin/mazur}")
models=$PWD/bench/models examples=/usr/share/doc/spin/examples/Examples
kinds=${1:-plain defaults} rounds=${ROUNDS:-5}
command -v spin >/dev/null && [ -d "$examples" ] || {
    echo "Spin is not installed (apt-get install spin): there is nothing to compare with"
    exit 0
}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 70
missed=0 TIMEFORMAT='%U %S'

seconds() { # COMMAND...: of the processor, added to a list
    { time "$@" >out 2>err; } 2>time
    awk '{ print $1 + $2 }' time
}

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

compare() { # NAME FILE
    local round ratio theirs ours
    # shellcheck disable=SC2086
    spin -a $translate "$2" >/dev/null 2>&1
    # shellcheck disable=SC2086
    ${CC:-cc} -O3 -w -DSAFETY -DNOCLAIM $flags -DMEMLIM=8000 -DVECTORSZ=4096 -o pan pan.c 2>/dev/null || return
    rm -f theirs ours
    for ((round = 0; round < rounds; round++)); do
        seconds ./pan -m4000000 -c0 -w24 >>theirs
        states=$(awk '/states, stored/ { print $1 }' out)
        # shellcheck disable=SC2086
        seconds "$MAZUR" model "$2" --no-claim --keep-going --time 0 --quiet --no-trace --jobs 1 $options \
            --json json >>ours
    done
    theirs=$(median theirs) ours=$(median ours)
    found=$(sed -n 's/^  "states": \([0-9]*\),*$/\1/p' json)
    ratio=$(awk -v a="$theirs" -v b="$ours" 'BEGIN { printf "%.2f", a / b }')
    echo "$ratio" >>ratios
    awk -v r="$ratio" 'BEGIN { exit !(r < 1.5) }' && missed=$((missed + 1)) && ratio+=" !"
    echo "| $1 | $states | $theirs | $found | $ours | $ratio |"
}

for kind in $kinds; do
    case $kind in
    plain) translate='-o1 -o2 -o3' flags=-DNOREDUCE options='--optimize off --por off' ;;
    *) translate='' flags='' options='' ;;
    esac
    echo "$kind:"
    echo "| model | states, Spin | pan -O3, s | states, Mazur | Mazur, all, s | Spin / Mazur |"
    echo "|---|---|---|---|---|---|"
    rm -f ratios
    for name in snoopy hajek dtp LTL/pftp sort cambridge; do
        compare "$name" "$examples/$name.pml"
    done
    compare philosophers "$models/philosophers.pml"
    mean=$(awk '{ s += log($1) } END { printf "%.2f", exp(s / NR) }' ratios)
    awk -v r="$mean" 'BEGIN { exit !(r < 2) }' && missed=$((missed + 1)) && mean+=" !"
    echo "geometric mean: $mean"
done
[ $missed = 0 ]
