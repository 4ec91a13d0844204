#!/bin/bash
# Random models (random_model.c), by Mazur and by Spin's verifier: in the plain semantics the same
# states, transitions and errors, one by one.
#
# Usage: spin.sh [MODELS [FIRST-SEED [FEATURE...]]]      environment: MAZUR, KEEP (a folder for models
# that differ), TCC (the compiler for pan.c, tcc where installed)
set -u
here=$(cd "$(dirname "$0")" && pwd)
MAZUR=$(realpath "${MAZUR:-$here/../../bin/mazur}")
models=${1:-200} first=${2:-1}
shift $(($# < 2 ? $# : 2))
command -v spin >/dev/null || {
    echo "Spin is not installed: random models are not compared with it"
    exit 0
}
TCC=${TCC:-$(command -v tcc || echo cc)}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O1 -o "$work/random_model" "$here/random_model.c" || exit 70
cd "$work" || exit 70

json() { sed -n "s/^  \"$1\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\\{0,1\\}$/\\1/p" json; }

# Sets theirs: states, transitions, errors; empty where Spin refuses the model or comes to no end.
ask_spin() { # FLAGS OPTIONS
    theirs=
    rm -f pan.c pan.out
    timeout 20 spin -a -o1 -o2 -o3 m.pml >spin.out 2>&1
    [ -s pan.c ] && ! grep -q -i 'error' <(grep -v dubious spin.out) || return
    # shellcheck disable=SC2086
    "$TCC" -w -DNOREDUCE -DVECTORSZ=4096 -DMEMLIM=1000 $1 -o pan pan.c 2>cc.out || return
    # shellcheck disable=SC2086
    timeout 20 ./pan -m100000 -w18 $2 >pan.out 2>/dev/null || return
    grep -q 'search depth too small\|out of memory' pan.out && return
    # what Spin finds while it looks at an expression it counts each time that it looks
    whole=yes
    grep 'pan:[0-9]*:' pan.out | grep -qv 'invalid end state\|assertion violated' && whole=
    theirs=$(awk '/states, stored/ {s = $1} /transitions \(/ {t = $1} /errors:/ {e = $NF}
                  END {print s, t, e}' pan.out)
}

wrong=0 compared=0 refused=0
for ((seed = first; seed < first + models; seed++)); do
    ./random_model "$seed" "$@" >m.pml
    ask_spin "-DSAFETY -DNOCLAIM" -c0
    if [ -z "$theirs" ]; then
        refused=$((refused + 1))
        [ -n "${REFUSED:-}" ] && echo "refused $seed: $(grep -h rror spin.out cc.out | head -n 1)"
        continue
    fi
    timeout 120 "$MAZUR" model m.pml --no-claim --keep-going --quiet --no-trace --optimize off \
        --por off --time 0 --json json >out 2>err
    ours="$(json states) $(json transitions) $(json errors)"
    compared=$((compared + 1))
    if [ -z "$whole" ]; then
        theirs=${theirs% *}
        [ "$(json errors)" = 0 ] && theirs+=" and errors" || ours=${ours% *}
    fi
    if [ "$ours" != "$theirs" ]; then
        wrong=$((wrong + 1))
        echo "seed $seed $*: Spin '$theirs', Mazur '$ours' $(grep -v passed err | head -n 1)"
        [ -n "${KEEP:-}" ] && cp m.pml "$KEEP/$seed.pml"
    fi
done
echo "$compared random models, $wrong differ; $refused that Spin does not decide"
[ "$wrong" = 0 ]
