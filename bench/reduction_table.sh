#!/bin/bash
# Spin's Examples: states with the defaults of both (optimisation and partial-order reduction),
# safety only, claims off, all errors counted so that both search everything. A table for
# docs/benchmarks.md; the last column is Mazur's states over Spin's.
#
# Spin is the Debian package `spin`, with its Examples. A model that either does not end within
# LIMIT seconds (60) is left out and named.
# Usage: bench/reduction_table.sh [FILTER...]      models whose path contains a FILTER
set -u
cd "$(dirname "$0")/.." || exit 70
MAZUR=$(realpath "${MAZUR:-bin/mazur}")
examples=${EXAMPLES:-/usr/share/doc/spin/examples/Examples}
limit=${LIMIT:-60}
command -v spin >/dev/null && [ -d "$examples" ] || {
    echo "Spin is not installed (apt-get install spin): there is nothing to compare with"
    exit 0
}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
above=0 compared=0 left_out=()

is_wanted() { # PATH FILTER...
    local path=$1 filter
    shift
    [ $# -eq 0 ] && return 0
    for filter in "$@"; do [[ $path == *"$filter"* ]] && return 0; done
    return 1
}

spin_states() { # MODEL: nothing where Spin refuses it or does not end
    (
        spin -a "$1" >spin.out 2>&1
        [ -s pan.c ] || exit
        ${CC:-cc} -O1 -w -DSAFETY -DNOCLAIM -DMEMLIM=4000 -DVECTORSZ=4096 -o pan pan.c 2>/dev/null || exit
        timeout "$limit" ./pan -m1000000 -c0 -w20 >pan.out 2>&1 || exit
        grep -q 'search depth too small\|out of memory\|MEMLIM' pan.out && exit
        awk '/states, stored/ {print $1}' pan.out
    )
}

mazur_states() { # MODEL
    timeout "$((2 * limit))" "$MAZUR" model "$1" --no-claim --keep-going --quiet --no-trace --time "${limit}s" \
        --json json >/dev/null 2>&1
    grep -q '"complete": true' json && sed -n 's/^  "states": \([0-9]*\),*$/\1/p' json
}

echo "| model | Spin | Mazur | Mazur / Spin |"
echo "|---|---|---|---|"
while read -r file; do
    name=${file#"$examples/"}
    is_wanted "$name" "$@" || continue
    rm -rf "$work/m" && mkdir "$work/m" && cp -r "$(dirname "$file")"/. "$work/m" && cd "$work/m" || exit 70
    rm -f pan* json
    theirs=$(spin_states "$(basename "$file")")
    ours=$(mazur_states "$(basename "$file")")
    cd "$OLDPWD" || exit 70
    if [ -z "$theirs" ] || [ -z "$ours" ]; then
        left_out+=("$name (${theirs:--} / ${ours:--})")
        continue
    fi
    compared=$((compared + 1))
    ratio=$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%.2f", a / b }')
    # one step more or less says nothing about a model of ten states
    awk -v a="$ours" -v b="$theirs" 'BEGIN { exit !(a > 1.1 * b && a > b + 2) }' && above=$((above + 1)) && ratio+=" !"
    echo "| $name | $theirs | $ours | $ratio |"
done < <(find "$examples" -name '*.pml' | LC_ALL=C sort)
echo
echo "$compared models; above 1.1: $above. Left out (Spin / Mazur): ${left_out[*]-}"
[ $above = 0 ]
