#!/bin/bash
# How many of the failing cases of these families fail under the debugger as they do in a
# replay? Each case is searched, and `mazur debug --batch` runs its trace, which must give the
# same exit code and the same events, step by step. Cases are those of run.sh (EXPECT lines, see
# there).
#
# Usage: debug.sh [FILTER...]      cases whose file name contains a FILTER
# Environment: MAZUR (bin/mazur), JOBS (2), CC, VERBOSE (show the output of cases that differ)
set -u
cd "$(dirname "$0")" || exit 70
# shellcheck source=../patience.sh
. ../patience.sh
export MAZUR=${MAZUR:-$PWD/../../bin/mazur}

# Lines "file:number" of the EXPECT lines that expect a failure which can be replayed.
cases() {
    local file filter wanted
    for file in */*_bad.c */*_bad.cpp; do
        wanted=$(($# == 0))
        for filter; do
            case ${file##*/} in *"$filter"*) wanted=1 ;; esac
        done
        [ "$wanted" = 0 ] || sed '/\*\//q' "$file" | sed -n 's/ *\*\/.*//; s/^.*EXPECT  *//p' |
            grep -nE ' exit=(1|2|3|4|7|9|11|12)( |$)' | sed "s|^\([0-9]*\):.*|$file:\1|"
    done
}

# one CASE SCRATCH: prints "ok …", or what differs
one() {
    local file=${1%:*} number=${1##*:} text flags= work searched debugged
    work=$(mktemp -d "$2/case.XXXXXX")
    text=$(sed '/\*\//q' "$file" | sed -n 's/ *\*\/.*//; s/^.*EXPECT  *//p' | sed -n "${number}p")
    case $text in *'-- '*) flags=${text#*-- } ;; esac
    # shellcheck disable=SC2086 # flags are words
    timeout "$PATIENCE" "$MAZUR" check --quiet --trace-dir "$work" "$file" -I ../../include \
        ${CC:+--compiler $CC} $flags >"$work/search.txt" 2>&1 </dev/null
    searched=$?
    set -- "$work"/*.mzt
    timeout "$PATIENCE" "$MAZUR" debug --batch "$1" >"$work/debug.txt" 2>&1 </dev/null
    debugged=$?
    if [ "$debugged" != "$searched" ]; then
        echo "DIFFERS $file [$flags]: debug exits with $debugged, the search with $searched"
    elif ! grep -q '^mazur: the same .* events and the same failure' "$work/debug.txt"; then
        echo "DIFFERS $file [$flags]: $(grep '^mazur: ' "$work/debug.txt" | tail -n 1)"
    else
        echo "ok $file [$flags]"
        rm -rf "$work"
        return
    fi
    [ -z "${VERBOSE:-}" ] || sed 's/^/    /' "$work/search.txt" "$work/debug.txt"
    rm -rf "$work"
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3"
    exit
fi
gdb -nx -batch -ex run --args true 2>&1 </dev/null | grep -q 'exited normally' ||
    { echo "debug.sh: skipped: there is no gdb that can run programs here"; exit 0; }
[ -x "$MAZUR" ] || { echo "debug.sh: no $MAZUR: run make first" >&2; exit 70; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/mazur-debug.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cases "$@" >"$scratch/cases"
xargs -P "${JOBS:-2}" -I{} ./debug.sh --one {} "$scratch" <"$scratch/cases" >"$scratch/results"
grep -v '^ok ' "$scratch/results"
same=$(grep -c '^ok ' "$scratch/results")
all=$(wc -l <"$scratch/cases")
echo "$same passed, $((all - same)) failed"
[ "$same" = "$all" ] && [ "$all" -gt 0 ]
