#!/bin/bash
# Models: verdicts, counts and exit codes (expected.txt), messages about bad models (bad.txt),
# and agreement with Spin, state by state, where the Debian package `spin` is installed.
#
# Usage: run.sh [FILTER...]      cases whose text contains a FILTER
# Environment: MAZUR (bin/mazur), CC (cc)
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
MAZUR=$(realpath "${MAZUR:-$root/bin/mazur}")
CC=${CC:-cc}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
wanted=("$@")
passed=0 failed=0

chosen() {
    [ ${#wanted[@]} -eq 0 ] && return 0
    local filter
    for filter in "${wanted[@]}"; do
        [[ $1 == *"$filter"* ]] && return 0
    done
    return 1
}

result() { # NAME PROBLEM
    if [ -z "$2" ]; then
        passed=$((passed + 1))
        echo "ok $1"
    else
        failed=$((failed + 1))
        echo "not ok $1: $2"
    fi
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
    timeout 120 "$MAZUR" model "$here/$model" $options --quiet --no-trace --json "$work/json" \
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
    timeout 20 "$MAZUR" model --no-trace "$work/bad.pml" >"$work/out" 2>"$work/err"
    local status=$? problem=''
    [ $status = 64 ] || problem+="exit $status, expected 64; "
    grep -qF -- "$2" "$work/err" || problem+="no '$2' in: $(head -n 1 "$work/err"); "
    grep -q '^ *^$' "$work/err" || problem+="no caret; "
    result "refuses: $1" "$problem"
}

# States, transitions and errors of a model, by Spin with its plain semantics.
spin_counts() { # FILE
    (
        cd "$work/spin" || exit
        spin -a -o1 -o2 -o3 "$1" >/dev/null 2>&1
        "$CC" -O1 -w -DSAFETY -DNOREDUCE -DNOCLAIM -DMEMLIM=4000 -DVECTORSZ=4096 -o pan pan.c \
            2>/dev/null && timeout 60 ./pan -m1000000 -c0 -w20 2>/dev/null |
            awk '/states, stored/ {s = $1} /transitions \(/ {t = $1} /errors:/ {e = $NF}
                 END {print s, t, e}'
    )
}

spin_case() { # FILE NAME
    rm -rf "$work/spin" && mkdir "$work/spin" && cp -r "$(dirname "$1")"/* "$work/spin/"
    local theirs ours
    theirs=$(spin_counts "$(basename "$1")")
    timeout 120 "$MAZUR" model "$work/spin/$(basename "$1")" --no-claim --keep-going --quiet --no-trace \
        --optimize off --por off --json "$work/json" >/dev/null 2>"$work/err"
    ours="$(json states) $(json transitions) $(json errors)"
    if [ "$theirs" = "$ours" ]; then
        result "as Spin: $2" ''
    else
        result "as Spin: $2" "Spin '$theirs', Mazur '$ours' $(head -n 1 "$work/err")"
    fi
}

while IFS='|' read -r case status verdict states transitions preemptions; do
    case=$(trim "$case")
    [[ -z $case || $case == \#* ]] && continue
    chosen "$case" && expected_case "$case" "$(trim "$status")" "$(trim "$verdict")" \
        "$(trim "$states")" "$(trim "$transitions")" "$(trim "$preemptions")"
done <"$here/expected.txt"

while IFS='|' read -r text message; do
    [[ -z $text || $text == \#* ]] && continue
    chosen bad && bad_case "$(trim "$text")" "$(trim "$message")"
done <"$here/bad.txt"

examples=/usr/share/doc/spin/examples/Examples
if ! command -v spin >/dev/null; then
    echo "# Spin is not installed: its counts are not compared"
else
    for model in "$here"/features/*.pml; do
        chosen "$model" && spin_case "$model" "features/$(basename "$model")"
    done
    for name in abp cambridge dtp eratosthenes hajek leader0 manna_pnueli peterson snoopy sort \
        LTL/bakery LTL/mobile1 LTL/pftp LTL/train LTL/zune for_select_example test_mtype welfare; do
        [ -e "$examples/$name.pml" ] && chosen "$name" &&
            spin_case "$examples/$name.pml" "Examples/$name"
    done
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
