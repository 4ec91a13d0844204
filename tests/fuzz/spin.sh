#!/bin/bash
# Random models (random_model.c), checked by Mazur and by Spin's verifier.
#
#   counts     in the plain semantics the same states, transitions and errors, one by one
#   verdicts   the same as Spin's, whatever the search: reduced, in breadth, bounded, by two workers
#   cycles     formulas, acceptance and non-progress cycles, with and without weak fairness and
#              reduction, by one worker and by several: the same verdicts
#   trails     what Spin's verifier writes is followed to a failure, with and without statement
#              merging; what --trail writes is followed by `spin -t` and `pan -r` to its last step, with
#              the moves of the claim, also of the one that Spin makes of a formula
#
# Usage: spin.sh [KIND [MODELS [FIRST-SEED [FEATURE...]]]]      environment: MAZUR, KEEP (a folder
# for models that differ), TCC (the compiler for pan.c; tcc if installed, which takes no time;
# differences are checked again with cc, since tcc 0.9.27 gets some conditional expressions
# wrong)
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
MAZUR=$(realpath "${MAZUR:-$here/../../bin/mazur}")
kind=${1:-counts} models=${2:-200} first=${3:-1}
shift $(($# < 3 ? $# : 3))
command -v spin >/dev/null || {
    echo "Spin is not installed: random models are not compared with it"
    exit 0
}
TCC=${TCC:-$(command -v tcc || echo cc)}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O1 -o "$work/random_model" "$here"/random_model.c "$here"/random_statement.c || exit 70
cd "$work" || exit 70
wrong=0 compared=0 undecided=0 features=("$@")
# a formula, unless a claim was requested
[[ $kind != cycles && $kind != trails ]] || [[ " $* " == *" never "* ]] || features=("${@:-any}" ltl)

json() { sed -n "s/^  \"$1\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\\{0,1\\}$/\\1/p" json; }

translate() { # SPIN_OPTIONS: pan.c, or false where Spin refuses the model
    rm -f pan.c
    # shellcheck disable=SC2086
    timeout "$PATIENCE" spin -a $1 m.pml >spin.out 2>&1
    [ -s pan.c ] && ! grep -v dubious spin.out | grep -qi 'error'
}

compile() { # FLAGS
    # shellcheck disable=SC2086
    "$compiler" -w -DNOREDUCE -DVECTORSZ=4096 -DMEMLIM=1000 -DNFAIR=3 $1 -o pan pan.c 2>cc.out
}

# Sets theirs to states, transitions, errors; empty if Spin does not finish. Sets whole, unless
# Spin found an error while evaluating an expression: it counts that at every evaluation.
ask_spin() { # PAN_OPTIONS
    theirs='' whole=yes
    # shellcheck disable=SC2086
    within 60 ./pan -m100000 -w18 $1 >pan.out 2>/dev/null || return
    grep -q 'search depth too small\|out of memory\|MEMLIM' pan.out && return
    grep 'pan:[0-9]*:' pan.out | grep -qv 'invalid end\|assertion violated\|cycle\|claim violated' &&
        whole=
    theirs=$(awk '/states, stored/ {s = $1} /transitions \(/ {t = $1} /errors:/ {e = $NF}
                  END {print s, t, e}' pan.out)
}

complain() {
    differs=yes
    [ "$compiler" = "$TCC" ] && [ "$TCC" != "${CC:-cc}" ] && return # first again, with cc
    wrong=$((wrong + 1))
    echo "seed $seed $*"
    [ -z "${KEEP:-}" ] || ./random_model "$seed" ${features[@]+"${features[@]}"} >"$KEEP/$seed.pml"
}

ask_mazur() { # OPTIONS
    # shellcheck disable=SC2086
    timeout "$PATIENCE" "$MAZUR" model m.pml --quiet --no-trace --time 0 $1 --json json >out 2>err
    status=$?
}

same_counts() {
    ask_mazur "--no-claim --keep-going --optimize off --por off"
    local ours
    ours="$(json states) $(json transitions) $(json errors)"
    if [ -z "$whole" ]; then
        theirs=${theirs% *}
        [ "$(json errors)" = 0 ] && theirs+=" and errors" || ours=${ours% *}
    fi
    [ "$ours" = "$theirs" ] || complain "$*: Spin '$theirs', Mazur '$ours' $(head -n 1 err)"
}

same_verdict() { # WHAT MAZUR_OPTIONS
    local options=$2 finds=no
    [ "${theirs##* }" = 0 ] || finds=yes
    ask_mazur "$options"
    case $status in
    0) [ $finds = no ] || complain "$1: Spin finds something, Mazur $options does not" ;;
    [123]) [ $finds = yes ] || complain "$1: Mazur $options finds something, Spin does not" ;;
    *) complain "$1: Mazur $options ends with $status $(head -n 1 err)" ;;
    esac
}

same_verdicts() {
    local options
    for options in "" "--optimize off" "--por off" "--search bfs" "--search fewest" "--bound auto" \
        "--jobs 2" "--bound auto --por on" "--store compact" "--bound 60 --jobs 2"; do
        same_verdict "$*" "--no-claim $options"
    done
}

one_cycle() { # FLAGS PAN_OPTIONS MAZUR_OPTIONS
    compile "$1" && ask_spin "$2" && [ -n "$theirs" ] || return
    same_verdict "$3" "$3 --por off"
    same_verdict "$3" "$3 --por off --jobs 3"
    [[ $3 == *never* ]] && return # claims may count steps
    same_verdict "$3" "$3 --por on"
    same_verdict "$3" "$3 --por on --jobs 2"
}

# With fairness Spin finds no run that ends: there a process continues for ever.
same_cycles() {
    local claim
    claim=$(sed -n 's/^ltl \([a-z]*\) .*/\1/p; s/^never .*/never/p' m.pml)
    cp m.pml whole.pml
    one_cycle "" "-a" "--ltl $claim"
    echo "active proctype Idle() { do :: true od }" >>m.pml
    translate "-o1 -o2 -o3" && one_cycle "" "-a -f" "--ltl $claim --fair"
    without_claim m.pml
    translate "-o1 -o2 -o3" && one_cycle "" "-a -E -f" "--acceptance --fair" &&
        one_cycle "-DNP" "-l -E -f" "--progress --fair"
    cp whole.pml m.pml
    without_claim m.pml
    translate "-o1 -o2 -o3" && one_cycle "" "-a -E" "--acceptance" &&
        one_cycle "-DNP" "-l -E" "--progress"
}

without_claim() { # FILE
    sed -i '/^ltl/d; /^never/,/^}/d' "$1"
}

# Mazur follows a trail of Spin's verifier to a failure of the same kind.
reads() { # SPIN_OPTIONS FLAGS PAN_OPTIONS
    rm -f m.pml.trail
    translate "$1" && compile "$2" || return
    # shellcheck disable=SC2086
    within 60 ./pan -m100000 -w18 $3 >pan.out 2>/dev/null
    [ -e m.pml.trail ] || return
    # shellcheck disable=SC2086
    timeout "$PATIENCE" "$MAZUR" model m.pml m.pml.trail --quiet --no-trace >out 2>err
    status=$?
    local kind=1
    grep -q 'pan:1: invalid end state' pan.out && kind=2
    grep -q 'pan:1: .*cycle\|pan:1: end state in claim' pan.out && kind=3
    grep -q 'pan:1: assertion violated' pan.out && [ -s m.pml.trail ] && kind='[13]'
    # shellcheck disable=SC2053
    [[ $status = $kind ]] ||
        complain "trail of spin -a $1, pan $3: exit $status, expected $kind $(head -n 1 err)"
}

# A trail with a claim: it ends in what the claim forbids, and Spin's verifier follows it, too.
writes_claim() { # CLAIM STEPS
    grep -q '^-2:' m.pml.trail || complain "--trail, $1: no moves of the claim: $(head -n 1 err)"
    grep -q "START OF CYCLE\|assertion violated\|end state>\|proc  - ($1:1) .*$" followed ||
        grep -q 'could be polled' out ||
        complain "--trail, $1: spin -t sees no failure"
    grep -q '_last' m.pml && return # not known when following a trail
    translate "-o3" && compile "" && verifier_follows "$1" "-N $1" "$2"
}

verifier_follows() { # WHAT PAN_OPTIONS STEPS
    # shellcheck disable=SC2086
    timeout "$PATIENCE" ./pan -r $2 >followed 2>&1
    grep -q "trail ends after $3 steps" followed && ! grep -q 'Error, proc' followed ||
        complain "--trail, $1: $3 steps, pan -r: $(grep -m 1 'Error\|trail ends' followed)"
}

# Spin's simulator follows Mazur's trail to its end.
writes() { # MAZUR_OPTIONS
    rm -f m.pml.trail
    # shellcheck disable=SC2086
    timeout "$PATIENCE" "$MAZUR" model m.pml --quiet --no-trace $1 --trail m.pml.trail >out 2>err
    status=$?
    [ -s m.pml.trail ] && [[ $status = [123] ]] || return
    timeout "$PATIENCE" spin -t -p m.pml >followed 2>&1
    local wanted got
    wanted=$(sed -n '$s/:.*//p' m.pml.trail)
    [ "$wanted" -gt 0 ] || return # it fails before the first step
    got=$(sed -n 's/.*trail ends after \([0-9]*\) steps.*/\1/p' followed)
    [ "$got" = "$wanted" ] || complain "--trail, $1: $wanted steps, spin -t follows '$got'"
    # In Spin's simulator _last, pc_value and enabled differ from its verifier, so it can't
    # follow even the verifier's own trails. The verifier can, unless it is _last (with a claim:
    # below).
    if grep -q 'pc_value\|enabled(' m.pml && ! grep -q '_last' m.pml && [[ $1 != --ltl* ]]; then
        translate "-o3" && compile "-DNOCLAIM" && verifier_follows "$1" "" "$wanted"
    fi
    # Only Spin's verifier calls a poll of a rendezvous channel (the last line then) a failure.
    grep -q '_last\|pc_value\|enabled(' m.pml || grep -q 'could be polled\|holds no channel' out ||
        ! grep -q 'transition failed\|no such process\|step .* not found' followed ||
        complain "--trail, $1: spin -t: $(grep -m 1 'failed\|no such\|not found' followed)"
    [[ $1 != --ltl* ]] || writes_claim "${1#--ltl }" "$wanted"
}

same_trails() {
    local claim
    claim=$(sed -n 's/^ltl \([a-z]*\) .*/\1/p; s/^never .*/never/p' m.pml)
    for options in "-o1 -o2 -o3" ""; do
        reads "$options" "-DSAFETY -DNOCLAIM" ""
        [ -z "$claim" ] || reads "$options" "" "-a"
        reads "$options" "-DNP -DNOCLAIM" "-l"
    done
    writes "--no-claim"
    writes "--progress"
    [ -z "$claim" ] || writes "--ltl $claim"
}

compare() { # FEATURE...: false where Spin does not decide
    theirs=
    translate "-o1 -o2 -o3" && compile "-DSAFETY -DNOCLAIM" && ask_spin -c0
    [ -n "$theirs" ] || return 1
    case $kind in
    counts) same_counts "$@" ;;
    verdicts) same_verdicts "$@" ;;
    cycles) same_cycles "$@" ;;
    trails) same_trails "$@" ;;
    esac
    return 0
}

for ((seed = first; seed < first + models; seed++)); do
    ./random_model "$seed" ${features[@]+"${features[@]}"} >m.pml
    compiler=$TCC differs=
    compare "$@"
    case $? in
    0) compared=$((compared + 1)) ;;
    *) undecided=$((undecided + 1)) ;;
    esac
    [ -z "$differs" ] || [ "$TCC" = "${CC:-cc}" ] || {
        compiler=${CC:-cc}
        ./random_model "$seed" ${features[@]+"${features[@]}"} >m.pml
        compare "$@"
    }
done
echo "$kind of $compared random models, $wrong differences; $undecided that Spin does not decide"
[ "$wrong" = 0 ]
