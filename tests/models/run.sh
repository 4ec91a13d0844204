#!/bin/bash
# Models: verdicts, counts and exit codes (expected.txt), messages about bad models (bad.txt),
# and agreement with Spin, state by state, if the Debian package `spin` is installed.
#
# Usage: run.sh [--part PART]... [FILTER...]      cases whose text contains a FILTER
# Parts: verdicts, refusals, sentences, and with Spin: features, trails, claims, examples, random, formulas.
# Environment: MAZUR (bin/mazur), CC (cc), EVERY=1 (all of Spin's examples, not a choice)
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
MAZUR=$(realpath "${MAZUR:-$root/bin/mazur}")
CC=${CC:-cc}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
parts=()
while [ "${1:-}" = --part ] && [ $# -gt 1 ]; do
    parts+=("$2")
    shift 2
done
wanted=("$@")
# shellcheck source=../tap.sh
. "$here/../tap.sh"

chosen() {
    [ ${#wanted[@]} -eq 0 ] && return 0
    local filter
    for filter in "${wanted[@]}"; do
        [[ $1 == *"$filter"* ]] && return 0
    done
    return 1
}

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

json() { # KEY: its value in $work/json, strings without quotes
    sed -n "s/^  \"$1\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\\{0,1\\}$/\\1/p" "$work/json"
}

expected_case() { # "model options" exit verdict states transitions preemptions
    local problem='' status model=${1%% *} options=${1#* }
    [ "$model" = "$1" ] && options=''
    rm -f "$work/json"
    # shellcheck disable=SC2086
    timeout "$PATIENCE" "$MAZUR" model "$here/$model" $options --quiet --no-trace --json "$work/json" \
        >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" = "$2" ] || problem+="exit $status, expected $2 $(head -n 2 "$work/err"); "
    local -A value=([verdict]=$3 [states]=$4 [transitions]=$5 [preemptions]=$6)
    local key
    for key in verdict states transitions preemptions; do
        [ "${value[$key]}" = - ] || [ "$(json "$key")" = "${value[$key]}" ] ||
            problem+="$key $(json "$key"), expected ${value[$key]}; "
    done
    result "$1" "$problem"
}

bad_case() { # TEXT MESSAGE: the model is refused with that message, its place and a caret
    printf '%s\n' "$1" >"$work/bad.pml"
    timeout "$PATIENCE" "$MAZUR" model --no-trace "$work/bad.pml" >"$work/out" 2>"$work/err"
    local status=$? problem=''
    [ $status = 64 ] || problem+="exit $status, expected 64; "
    grep -qF -- "$2" "$work/err" || problem+="no '$2' in: $(head -n 1 "$work/err"); "
    grep -q '^ *^$' "$work/err" || problem+="no caret; "
    result "refuses: ${1:0:100}" "$problem"
}

says_case() { # "model options" TEXT: the text says what was requested and not done
    local problem=''
    # shellcheck disable=SC2086
    COLUMNS=300 timeout "$PATIENCE" "$MAZUR" model "$here"/$1 --no-trace >"$work/out" 2>&1 # no line is wrapped
    grep -qF -- "$2" "$work/out" || problem="no '$2' in: $(tail -n 1 "$work/out")"
    result "says: $1" "$problem"
}

silent_case() { # "model options" TEXT: that is not said
    local problem=''
    # shellcheck disable=SC2086
    COLUMNS=300 timeout "$PATIENCE" "$MAZUR" model "$here"/$1 --no-trace >"$work/out" 2>&1 ||
        problem="exit $?; "
    ! grep -qF -- "$2" "$work/out" || problem+="'$2' in: $(tail -n 1 "$work/out")"
    result "does not say '$2': $1" "$problem"
}

# Spin's verifiers search for a second and gcc -O1 would compile for two: tcc takes 0.02 s, gcc -O0 half a one.
compile_pan() { # ARGUMENTS
    if command -v tcc >/dev/null; then tcc -w "$@"; else "$CC" -O0 -w "$@"; fi
}

# States, transitions and errors of a model, by Spin with its plain semantics; or "#" and why it
# has none: the counts of a search that a limit ended are not compared.
spin_counts() { # FILE
    (
        cd "$work/spin" || exit
        spin -a -o1 -o2 -o3 "$1" >spin.out 2>&1
        [ -e pan.c ] || { echo "# Spin refuses it: $(grep -m 1 Error spin.out)"; exit; }
        compile_pan -DSAFETY -DNOREDUCE -DNOCLAIM -DMEMLIM=4000 -DVECTORSZ=4096 -o pan pan.c \
            2>/dev/null || { echo "# Spin's C does not compile"; exit; }
        within 60 ./pan -m1000000 -c0 -w20 >pan.out 2>&1
        case $? in
        152) echo "# Spin needs more than a minute" ;;
        *)
            if grep -q 'out of memory\|MEMLIM bound' pan.out; then
                echo "# Spin needs more than 4 GB"
            elif grep -q 'search depth too small' pan.out; then
                echo "# Spin needs more than a million steps"
            else
                # Spin counts a use of an invalid channel at every query of that channel, and
                # continues with whatever lies there
                awk '/states, stored/ {s = $1} /transitions \(/ {t = $1} /errors:/ {e = $NF}
                     /^pan:[0-9]+: ref to uninitialized chan/ {asked = 1}
                     END {if (s == "") print "# Spin ends without a count";
                          else print s, t, asked ? "some" : e}' pan.out
            fi
            ;;
        esac
    )
}

spin_case() { # FILE NAME
    rm -rf "$work/spin" && mkdir "$work/spin" && cp -r "$(dirname "$1")"/* "$work/spin/"
    local theirs ours
    theirs=$(spin_counts "$(basename "$1")")
    if [[ $theirs == \#* ]]; then
        echo "# $2: not compared: ${theirs#\# }"
        return
    fi
    timeout "$PATIENCE" "$MAZUR" model "$work/spin/$(basename "$1")" --no-claim --keep-going --quiet --no-trace \
        --optimize off --por off --json "$work/json" >/dev/null 2>"$work/err"
    ours="$(json states) $(json transitions) $(json errors)"
    [[ $theirs != *some || $ours == *" 0" ]] || ours="${ours% *} some"
    if [ "$theirs" = "$ours" ]; then
        result "as Spin: $2" ''
    else
        result "as Spin: $2" "Spin '$theirs', Mazur '$ours' $(head -n 1 "$work/err")"
    fi
}

# Does Spin's verifier find something, with its optimisations and reduction? Says yes, no, or
# nothing if it can't tell within its limits.
pan_finds() { # COMPILER_FLAGS PAN_OPTIONS
    # shellcheck disable=SC2086
    (
        cd "$work/spin" || exit
        [ -e "pan$1" ] || compile_pan -DMEMLIM=4000 -DVECTORSZ=4096 -DNFAIR=8 $1 -o "pan$1" pan.c
        within 60 "./pan$1" -m1000000 $2 >pan.out 2>/dev/null || exit
        grep -q 'search depth too small\|out of memory\|MEMLIM bound' pan.out && exit
        awk '/errors:/ {print ($NF > 0 ? "yes" : "no")}' pan.out
    )
}

# The same verdicts with reduction, for every formula, with and without fairness.
verdict_case() { # NAME COMPILER_FLAGS PAN_OPTIONS MAZUR_OPTIONS
    local theirs ours=no status
    theirs=$(pan_finds "$2" "$3")
    [ -n "$theirs" ] || return
    # shellcheck disable=SC2086
    timeout "$PATIENCE" "$MAZUR" model "$work/spin/$(basename "$1")" $4 --time 0 --quiet --no-trace \
        >"$work/out" 2>"$work/err"
    status=$?
    [ $status = 0 ] || ours=yes
    [ $status -le 3 ] || ours="exit $status"
    [ "$theirs" = "$ours" ] && theirs='' || theirs="Spin finds: $theirs, Mazur: $ours"
    result "verdict as Spin's: $(basename "$1") $4" "$theirs"
}

verdict_cases() { # FILE
    local name
    rm -rf "$work/spin" && mkdir "$work/spin" && cp -r "$(dirname "$1")"/* "$work/spin/"
    (cd "$work/spin" && spin -a "$(basename "$1")" >/dev/null 2>&1)
    verdict_case "$1" "-DNOCLAIM" "" "--no-claim"
    for name in $(sed -n 's/^[ \t]*ltl[ \t]*\([a-zA-Z_0-9]*\)[ \t]*{.*/\1/p' "$1"); do
        verdict_case "$1" "" "-a -N $name" "--ltl $name"
        verdict_case "$1" "" "-a -f -N $name" "--ltl $name --fair"
    done
    grep -q 'progress' "$1" || return
    verdict_case "$1" "-DNP" "-l" "--progress"
    verdict_case "$1" "-DNP" "-l -f" "--progress --fair"
}

# `spin -t` follows what --trail wrote, to its last step.
trail_out_case() { # FILE OPTIONS
    local problem='' wanted got status defines
    defines=$(grep -o -- '-D [A-Z]*' <<<"$2")
    rm -rf "$work/spin" && mkdir "$work/spin" && cp "$1" "$work/spin/model.pml"
    # shellcheck disable=SC2086
    (cd "$work/spin" && timeout "$PATIENCE" "$MAZUR" model model.pml $2 --no-trace --quiet \
        --trail model.pml.trail) >"$work/out" 2>&1
    status=$?
    # shellcheck disable=SC2086
    (cd "$work/spin" && timeout "$PATIENCE" spin -t -p ${defines/ /} model.pml) >"$work/out" 2>&1
    wanted=$(sed -n '$s/:.*//p' "$work/spin/model.pml.trail")
    got=$(sed -n 's/.*trail ends after \([0-9]*\) steps.*/\1/p' "$work/out")
    [ -n "$wanted" ] && [ "$got" = "$wanted" ] ||
        problem="the trail has '$wanted' steps, Spin followed '$got'; "
    [[ $2 != --ltl* ]] || grep -q '^-2:' "$work/spin/model.pml.trail" ||
        problem+="the trail has no moves of the claim; "
    ! grep -q 'transition failed' "$work/out" || problem+="a step that Spin can't take; "
    [[ $2 != --ltl* ]] || grep -q 'START OF CYCLE\|assertion violated\|valid end state\|Error:' "$work/out" ||
        problem+="Spin sees no failure at its end"
    [[ $1 != *guard_fails* || $2 == *ZERO* ]] || grep -q "Error: indexing array 'a'" "$work/out" ||
        problem+="Spin does not come to the condition; "
    # shellcheck disable=SC2086
    (cd "$work/spin" && timeout "$PATIENCE" "$MAZUR" model model.pml model.pml.trail $defines --no-trace --quiet) \
        >"$work/out" 2>&1
    [ $? = $status ] || problem+="read again: $(head -n 1 "$work/out")"
    result "Spin follows: $(basename "$1") $2" "$problem"
}

# Mazur follows trails of Spin's verifier, with and without statement merging, to a failure.
trail_in_case() { # FILE SPIN_OPTIONS PAN_OPTIONS EXIT [TEXT]
    local name status problem=''
    name=$(basename "$1")
    rm -rf "$work/spin" && mkdir "$work/spin" && cp "$1" "$work/spin/"
    # shellcheck disable=SC2086
    (cd "$work/spin" && spin -a $2 "$name" && compile_pan -o pan pan.c && ./pan $3) \
        >"$work/out" 2>&1
    (cd "$work/spin" && timeout "$PATIENCE" "$MAZUR" model "$name" "$name.trail" --no-trace --quiet) \
        >"$work/out" 2>"$work/err"
    status=$?
    [ $status = "$4" ] || problem="exit $status, expected $4 $(head -n 1 "$work/err")"
    grep -q "${5:-}" "$work/out" || problem+="; no '$5' in: $(head -n 1 "$work/out")"
    result "follows Spin: $name $2 $3" "$problem"
}

verdicts() {
    while IFS='|' read -r case status verdict states transitions preemptions; do
        case=$(trim "$case")
        [[ -z $case || $case == \#* ]] && continue
        chosen "$case" && expected_case "$case" "$(trim "$status")" "$(trim "$verdict")" \
            "$(trim "$states")" "$(trim "$transitions")" "$(trim "$preemptions")"
    done <"$here/expected.txt"
}

repeat() { # TEXT TIMES
    perl -e 'print $ARGV[0] x $ARGV[1]' -- "$@"
}

refusals() {
    while IFS='|' read -r text message; do
        [[ -z $text || $text == \#* ]] && continue
        chosen bad && bad_case "$(trim "$text")" "$(trim "$message")"
    done <"$here/bad.txt"
    # too long for a line of bad.txt
    chosen "bad long" && {
        bad_case "byte x; init { x = $(repeat '1+' 20001)1 }" "an expression of more than 20000 operators"
        bad_case "byte x; ltl p { $(repeat 'x==1 && ' 2001)x }; init { skip }" "more than 2000 operators"
        bad_case "byte x; init { $(repeat 'x=1;' 66000) }" "places where it can be, more than 65535"
    }
}

sentences() {
    while IFS='|' read -r case text; do
        chosen "says $case" && says_case "$(trim "$case")" "$(trim "$text")"
    done <<'END'
in_macro.pml | in_macro.pml:4:20: error: 'y' is not declared
in_macro.pml | which the preprocessor makes into
in_inline.pml | in_inline.pml:8 in inline add, called at
in_inline.pml | in_inline.pml:17 in inline twice, called at
in_inline.pml | in_inline.pml:7 add ← :16 twice ← :25
in_inline.pml -D MISTAKE | in_inline.pml:10:12: error: 'nothing' is not declared
in_inline.pml -D MISTAKE | in_inline.pml:16:5: in inline add, called here
in_inline.pml -D MISTAKE | in_inline.pml:25:5: in inline twice, called here
in_inline.pml -D ARGUMENT | in_inline.pml:7:5: substituted here in inline add
in_inline.pml -D ARGUMENT | in_inline.pml:23:5: in inline add, called here
warns.pml | 300 does not fit in 'x' (8 bits): it is 44 there
warns.pml | 40000 does not fit in 's' (16 bits): it is -25536 there
warns.pml | 9 does not fit in 'u' (3 bits): it is 1 there
features/spin_takes.pml | 'few' is an array: an index is missing, element 0 is taken
features/spin_takes.pml | the array 'values' gets its values when the process starts
warns.pml | the format asks for 2 values, 1 given
many_channels.pml | many_channels.pml: error in the model: more than 255 processes or channels, or a megabyte of variables: run P(c), at
many_channels.pml --search bfs --jobs 2 | many_channels.pml: error in the model: more than 255 processes or channels, or a megabyte of variables: run P(c), at
many_channels.pml --keep-going --por off --time 1 --tier 1 --memory 1G | many_channels.pml: error in the model: more than 255 processes or channels, or a megabyte of variables: run P(c), at
too_large.pml | too_large.pml: error in the model: more than 255 processes or channels, or a megabyte of variables: run P(2), at
outside.pml | index 7 is outside 'a[2]': executing this is a failure
every_round.pml --progress --fair | is preempted before each further round
many_fair.pml --progress --fair | search for the simplest failure was cut short (number of processes)
many_fair.pml --progress --fair --shorten | search for the simplest failure was cut short (number of processes)
two_processes_good.pml --store compact --jobs 2 | --jobs: one thread searched (hashes
two_processes_good.pml --search bfs --jobs 2    | --jobs: one thread searched (hashes
word_broken.pml -D BROKEN                       | xr c in P is wrong: Q receives from it, too, at
word_broken.pml -D BROKEN --bound 3             | xr c in P is wrong: Q receives from it, too, at
values_sent.pml                                 | c!n+1,m,pear   sends 4,green,pear
values_sent.pml                                 | c?x,y,z ← S(0) #3   x: 0 → 4, y: 0 → green, z: 0 → pear
values_sent.pml                                 | d[1]!r   sends 9,pear
values_sent.pml                                 | e: [] → [pear]
values_sent.pml                                 | k?w ← S(0) #10   w: 0 → e
formula_parts.pml --ltl together                | a[0] = 1   a[0]: 0 → 1, P:a[0]==1: false → true
formula_parts.pml --ltl together                | In the first state P:a[0]==1 is false, P:a[1]==1 is false.
formula_parts.pml --ltl ranks                   | In the first state get_priority(0)==2 is true, get_priority(1)==2 is false.
worst_case.pml --store compact --por off --optimize off | less than 0.01 of them may have been missed
worst_case.pml --store bitstate --memory 256k --por off --optimize off | not states: 87.5 of them may have been missed
worst_case.pml --store bitstate --memory 80k --por off --optimize off | not states: about 1,560 of them may have been missed
billion.pml --search swarm --jobs 2 --time 1s --memory 16M --optimize off --por off | swarm of 2: the smallest search saw
says_why.pml                                    | · Q(1) is at its end
says_why.pml -D DSTEP                           | a statement inside d_step blocks: c!2
says_why.pml -D DSTEP                           | d_step   a[0]: 0 → 1, c: [] → [1]
says_why.pml -D GONE                            | reference to a process that does not exist: (W[p]:v == 1)
c_error.pml -D MOST=1                           | uerror: too many tries, in c_code
claim_variables.pml                             | x: 0 → 1, never.n: 1 → 2
lost_updates.pml --bound auto --optimize off --memory 28M | 4 preemptions suffice for this failure
prints.pml                                      | prints "x is 4, red pear"
prints.pml                                      | x: 3 → 2   prints "one   7/two ff\n\tmore"
prints.pml --full                               | \x09more
three_failures.pml --keep-going                 | 3 failures
three_failures.pml --keep-going --bound 2       | 3 failures
cycle_beside_fault.pml --keep-going --ltl f     | 2 failures
cycle_beside_fault.pml --keep-going --ltl f --optimize off | 2 failures
cycle_beside_fault.pml --keep-going --ltl f --store compact | acceptance cycle: f does not hold
cycle_beside_fault.pml --keep-going --ltl f -D ONLY | 6 steps, 0 switches · 0 preemptions
three_failures.pml --keep-going --store bitstate --bound 2 --memory 64M | 3 failures
three_failures.pml --keep-going --store compact --bound 2 | 6 steps, 1 switch · 1 preemption
END
    chosen "says word_broken" && silent_case "word_broken.pml -D NEVER" "is wrong"
}

# Formulas, checked by Spin and by Mazur, with and without fairness and reduction: the same
# verdicts.
formula_cases() { # FILE NAME FORMULA...
    local file=$1 name=$2 formula fair theirs ours reduction problem
    shift 2
    rm -rf "$work/spin" && mkdir "$work/spin" && cp -r "$(dirname "$file")"/* "$work/spin/"
    (
        cd "$work/spin" || exit
        spin -a "$(basename "$file")" >/dev/null 2>&1
        compile_pan -DMEMLIM=4000 -DVECTORSZ=4096 -DNFAIR=4 -DNOREDUCE -o pan pan.c 2>/dev/null
    )
    for formula in "$@"; do
        for fair in '' -f; do
            # shellcheck disable=SC2086
            theirs=$(cd "$work/spin" && timeout "$PATIENCE" ./pan -m1000000 -a $fair -N "$formula" 2>/dev/null |
                sed -n 's/.*errors: \([0-9]*\).*/\1/p' | head -n 1)
            problem=''
            for reduction in on off; do
                [ "$fair$reduction" = -fon ] && continue
                timeout "$PATIENCE" "$MAZUR" model "$file" --ltl "$formula" ${fair:+--fair} --quiet \
                    --no-trace --por $reduction >/dev/null 2>"$work/err"
                ours=$?
                [ "$((theirs > 0))" = "$((ours == 3))" ] || problem+="Spin has $theirs errors, \
Mazur's exit code with --por $reduction is $ours; "
            done
            result "as Spin: $name, $formula${fair:+, fair}" "$problem"
        done
    done
}

examples=/usr/share/doc/spin/examples/Examples

spin_features() {
    for model in "$here"/features/*.pml; do
        chosen "$model" && spin_case "$model" "features/$(basename "$model")"
    done
}

spin_trails() {
    for case in deadlock.pml two_processes.pml features/trails.pml features/unless_nested.pml \
        features/remote_jump.pml features/c_tracked.pml guard_fails.pml "guard_fails.pml|-D ZERO" \
        "guard_fails.pml|--ltl below -D FORMULA" \
        "mutex.pml|--ltl entry" "progress.pml|--progress" "claim_variables.pml|--ltl never" \
        "claim_atomic.pml|--ltl never" "stutters.pml|--ltl returns" \
        "claims_of_spin.pml|--ltl always" "claims_of_spin.pml|--ltl until" \
        "claims_of_spin.pml|--ltl release" "claims_of_spin.pml|--ltl before" \
        "claims_of_spin.pml|--ltl recurs" "claims_of_spin.pml|--ltl settles" \
        "claims_of_spin.pml|--ltl answers" "claims_of_spin.pml|--ltl both" \
        "claims_of_spin.pml|--ltl either" "claims_of_spin.pml|--ltl returns --por off --optimize off"; do
        options=''
        [ "$case" = "${case%%|*}" ] || options=${case#*|}
        chosen "trail $case" && trail_out_case "$here/${case%%|*}" "$options"
    done
    for merging in "" "-o1 -o2 -o3"; do
        chosen "trail in" || continue
        trail_in_case "$here/deadlock.pml" "$merging" "" 2
        trail_in_case "$here/two_processes.pml" "$merging" "" 1
        trail_in_case "$here/features/trails.pml" "$merging" "" 1
        trail_in_case "$here/mutex.pml" "$merging" "-a -N entry" 3 "entry does not hold"
        trail_in_case "$here/claim_atomic.pml" "$merging" "" 1 "assertion violated: assert"
        trail_in_case "$here/guard_fails.pml" "$merging" "" 1 "array index out of range"
        trail_in_case "$here/claim_left_over.pml" "$merging" "-m20" 3 "claim comes to its end"
        [ -n "$merging" ] || trail_in_case "$here/stutters.pml" "" "-a" 3 "returns does not hold"
        trail_in_case "$here/claims_of_spin.pml" "$merging" "-a -N settles" 3 "settles does not hold"
    done
}

spin_claims() {
    for name in mutex progress deadlock two_processes_good; do
        chosen "verdict $name" && verdict_cases "$here/$name.pml"
    done
    for name in LTL/ltl_example LTL/ltl_always_eventually LTL/bakery LTL/mobile1 LTL/zune LTL/train \
        peterson manna_pnueli loops petersonN; do
        [ -e "$examples/$name.pml" ] && chosen "verdict $name" && verdict_cases "$examples/$name.pml"
    done
}

spin_examples() {
    names="abp cambridge dtp eratosthenes hajek leader0 manna_pnueli peterson snoopy sort LTL/bakery
        LTL/mobile1 LTL/pftp LTL/train LTL/zune for_select_example test_mtype welfare"
    # all examples take a while: EVERY=1
    [ -n "${EVERY:-}" ] && names=$(cd "$examples" && find . -name '*.pml' | sed 's|^./||; s|.pml$||' | sort)
    for name in $names; do
        [ -e "$examples/$name.pml" ] && chosen "$name" &&
            spin_case "$examples/$name.pml" "Examples/$name"
    done
}

spin_random() {
    # random models; tests/fuzz/spin.sh runs more of them, but only with a fast compiler for
    # Spin's code
    for case in "counts 40 1" "verdicts 8 1" "cycles 8 1" "trails 1 53"; do
        command -v tcc >/dev/null || continue
        chosen "random $case" || continue
        # shellcheck disable=SC2086
        if MAZUR=$MAZUR "$here/../fuzz/spin.sh" $case >"$work/out" 2>&1; then
            result "as Spin: random models, $case" ''
        else
            result "as Spin: random models, $case" "$(cat "$work/out")"
        fi
    done
}

spin_formulas() {
    chosen formulas && {
        formula_cases "$here/mutex.pml" mutex.pml exclusion entry
        formula_cases "$examples/LTL/train.pml" Examples/LTL/train c2 c5 c8
        formula_cases "$examples/LTL/diskhead.pml" Examples/LTL/diskhead p
        formula_cases "$examples/LTL/zune.pml" Examples/LTL/zune p1
    }
}

# selected PART
selected() { [ ${#parts[@]} -eq 0 ] || [[ " ${parts[*]} " == *" $1 "* ]]; }

for part in "${parts[@]}"; do
    case $part in
    verdicts | refusals | sentences | features | trails | claims | examples | random | formulas) ;;
    *) echo "run.sh: there is no part '$part'" >&2 && exit 70 ;;
    esac
done
for part in verdicts refusals sentences; do
    ! selected $part || $part
done
if command -v spin >/dev/null; then
    for part in features trails claims examples random formulas; do
        ! selected $part || spin_$part
    done
elif [ ${#parts[@]} -eq 0 ] || [ $((passed + failed)) -gt 0 ]; then
    untested "the comparison with Spin is skipped: it is not installed"
else
    skip_all "the comparison with Spin is skipped: it is not installed"
fi
done_testing
