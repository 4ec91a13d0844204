#!/bin/bash
# Check every program of the folders beside this file (its families) with `mazur check`, as a user
# would, against the EXPECT lines in its first comment. Each line is one search:
#
#   EXPECT key=value ... [-- further arguments of mazur check]
#
#   verdict      the JSON key; exit: the exit code of the command
#   bound        the smallest number of preemptions that fails: JSON `preemptions`
#   executions   counts that must come out exactly. They belong to strategy icb, which
#   distinct     runs every interleaving: with another one (also the default) only `distinct` of a
#                search that found nothing is compared; under clang neither (see counts_apply)
#   complete     true or false
#   location     HERE: the line that carries the comment HERE in the source
#   says         a part of the message or the advice with it, with _ for a blank, in any case
#   uncontrolled name of a call that must be listed as outside Mazur's control
#
# A failing search must also write a trace file, and replaying it must fail in the same way
# (except nondeterminism, which by its nature need not repeat).
#
# Usage: run.sh [--measure | --record] [FILTER...]
# Cases whose file name contains a FILTER, or, for a FILTER with a slash, whose FAMILY/FILE does: locks/
# --measure prints what came out; --record writes the icb counts of the cases that came out right
# otherwise into their EXPECT lines, for a person to look at the difference.
# Environment: CC (cc), JOBS (2), REPLAYS (2), MAZUR (bin/mazur), STRATEGY, ISOLATE, SKIP (cases whose file names
# begin so, a regular expression).
set -u
cd "$(dirname "$0")" || exit 70
here=$PWD
# shellcheck source=../patience.sh
. "$here/../patience.sh"
MAZUR=${MAZUR:-$here/../../bin/mazur}
JOBS=${JOBS:-2}
REPLAYS=${REPLAYS:-2}
export MAZUR JOBS REPLAYS

# The EXPECT lines in the first comment of a file, without the word itself.
expectations() {
    sed "/\*\//q" "$1" | sed -n "s/ *\*\/.*//; s/^.*EXPECT  *//p"
}

# Does a FILTER choose the file $1 (FAMILY/NAME)? Without filters, every file is chosen.
chosen() {
    local file=$1 filter
    shift
    [ $# -gt 0 ] || return 0
    for filter; do
        case $filter in
        */*) case $file in *"$filter"*) return 0 ;; esac ;;
        *) case ${file##*/} in *"$filter"*) return 0 ;; esac ;;
        esac
    done
    return 1
}

# Lines "file:number:EXPECT line" of all cases that the filters choose.
cases() {
    local file
    for file in */*_good.c */*_bad.c */*_good.cpp */*_bad.cpp; do
        [ -e "$file" ] && chosen "$file" "$@" || continue
        expectations "$file" | awk -v file="$file" '{ print file ":" NR ":" $0 } END { if (!NR) print file ":0:" }'
    done
}

# The value in the search's result for an expected key.
measured() {
    local location
    case $1 in
    exit) echo "$status" ;;
    bound) field preemptions ;;
    location) # without folders, and without a column
        location=$(field location)
        location=${location##*/}
        [[ $location =~ ^[^:]*:[0-9]* ]] && location=${BASH_REMATCH[0]}
        echo "$location" ;;
    *) field "$1" ;;
    esac
}

field() {
    if [ -n "${fields[$1]+known}" ]; then
        echo "${fields[$1]}"
    else
        [ -s "$work/result.json" ] && "$scratch/jsonget" "$work/result.json" "$1"
    fi
}

# The values of one line that most cases ask for, read at once.
read_fields() {
    local keys=(verdict preemptions complete executions distinct location 'uncontrolled.#') values i
    fields=()
    [ -s "$work/result.json" ] || return
    mapfile -t values < <("$scratch/jsonget" "$work/result.json" "${keys[@]}")
    for i in "${!keys[@]}"; do fields[${keys[i]}]=${values[i]-}; done
}

# How soon a spin loop is recognised as idle depends on what the compiler leaves in registers and
# on the stack, and the counts with it: they belong to gcc.
counts_apply() {
    case ${CC:-cc} in *clang*) return 1 ;; esac
}

# Strategies without a preemption bound find a failure, not the simplest one.
unbounded() {
    case ${STRATEGY:-} in dfs | dpor | optimal | sdpor) ;; *) return 1 ;; esac
}

# Does a case with EXPECT line $1 expect something that $STRATEGY can't do? A search without a
# bound can't show that nothing fails within one; states are compared in one process only.
foreign() {
    unbounded || return
    case $1 in *verdict=passed*--bound\ [0-9]* | *verdict=nothing-found*--bound\ [0-9]*) return 0 ;; esac
    [ "$STRATEGY" = sdpor ] && grep -qE -e '--scratch|--isolate=fork' <<<"$1"
}

# sdpor prunes at states that it has seen: it does not run every class, and where that proves
# nothing (races, livelocks) it says so and calls nothing complete.
unproven() {
    [ "${STRATEGY:-}" = sdpor ] && [ "$(field complete)" = false ] &&
        grep -qE "without the race detector's clocks|a state was met again" "$work/result.json"
}

# Compare one key=value; prints "; " and what differs.
compare() {
    local key=${1%%=*} expected=${1#*=} got
    case $key in
    executions) [ "${STRATEGY:-}" = icb ] && counts_apply || return ;;
    bound) ! unbounded || return ;;
    distinct)
        counts_apply || return
        [ "${STRATEGY:-}" != sdpor ] || return
        [ "${STRATEGY:-}" = icb ] || [ "$status" = 0 ] || return ;;
    location)
        ! unbounded || return
        expected=${file##*/}:$(grep -n '/\* HERE \*/\|// HERE' "$file" | head -1 | cut -d: -f1) ;;
    says)
        got="$(field message) $(field failures.0.detail)"
        grep -qiF -- "${expected//_/ }" <<<"$got" || echo "; message '$got' lacks '${expected//_/ }'"
        return ;;
    uncontrolled)
        local i count
        count=$(field 'uncontrolled.#')
        for ((i = 0; i < ${count:-0}; i++)); do
            [ "$(field "uncontrolled.$i")" = "$expected" ] && return
        done
        echo "; $expected is not listed as uncontrolled"
        return ;;
    verdict | complete)
        case $1 in verdict=passed | complete=true) ! unproven || return ;; esac ;;
    exit) ;;
    *)
        echo "; unknown key '$key'"
        return ;;
    esac
    got=$(measured "$key")
    [ "$got" = "$expected" ] || echo "; $key is '$got', expected '$expected'"
}

replay() {
    local trace i code
    set -- "$work"/traces/*.mzt
    trace=$1
    if [ ! -e "$trace" ]; then
        echo "; no trace file"
        return
    fi
    for ((i = 0; i < REPLAYS; i++)); do
        timeout "$PATIENCE" "$MAZUR" replay "$trace" >"$work/replay.txt" 2>&1 </dev/null
        code=$?
        [ "$code" = "$status" ] || echo "; replay $i exits with $code, the search with $status"
    done
}

# Run case $1 (a line of `cases`) in scratch directory $2; prints one line.
one() {
    local file=${1%%:*} number=${1#*:} text pair
    local -A fields=()
    text=${number#*:} number=${number%%:*}
    scratch=$2
    work=$(mktemp -d "$scratch/case.XXXXXX")
    if [ -z "$text" ]; then
        echo "FAIL $file: no EXPECT line"
        return
    fi
    if foreign "$text"; then
        echo "ok $file: not asked of $STRATEGY"
        return
    fi
    local expected=${text%%-- *} flags=
    case $text in *'-- '*) flags=${text#*-- } ;; esac
    ! unbounded || flags=${flags/--bound [0-9]/}
    [ -z "${STRATEGY:-}" ] || flags="--strategy $STRATEGY $flags"
    [ -z "${ISOLATE:-}" ] || flags="--isolate=$ISOLATE $flags"
    [ -z "${CC:-}" ] || flags="--compiler $CC $flags"
    mkdir "$work/traces"
    # shellcheck disable=SC2086 # flags are words
    timeout "$PATIENCE" "$MAZUR" check --json "$work/result.json" --trace-dir "$work/traces" \
        "$file" -I ../../include $flags >"$work/output.txt" 2>&1 </dev/null
    status=$?
    read_fields
    # 500 threads need more stack than a small `ulimit -v` allows: a message that says so is
    # enough
    if [ "$(field verdict)" = limit ] && [ "$(ulimit -v)" != unlimited ]; then
        echo "ok $file${flags:+ [$flags]}: more memory than ulimit -v"
        rm -rf "$work"
        return
    fi
    local wrong='' counts=''
    for pair in $expected; do
        case $pair in
        executions=* | distinct=*) counts+=$(compare "$pair") ;;
        *) wrong+=$(compare "$pair") ;;
        esac
    done
    case $status in 1 | 2 | 3 | 4 | 7 | 9 | 11 | 12) wrong+=$(replay) ;; esac
    if [ -n "${MEASURE:-}" ]; then
        echo "MEASURED $file:$number verdict=$(field verdict) exit=$status bound=$(field preemptions)" \
            "complete=$(field complete) executions=$(field executions)" \
            "distinct=$(field distinct) seconds=$(field seconds) location=$(measured location)"
        [ -n "$wrong" ] || echo "COUNTS $file $number executions=$(field executions)" \
            "distinct=$(field distinct)"
    fi
    wrong+=$counts
    if [ -n "$wrong" ]; then
        echo "FAIL $file${flags:+ [$flags]}:${wrong#;}" | tr '\n' ' '
        echo
        mkdir -p "$scratch/kept"
        cp "$work/output.txt" "$scratch/kept/${file##*/}.$number.txt"
    else
        echo "ok $file${flags:+ [$flags]}"
    fi
    rm -rf "$work"
}

# Write the counts of the cases whose other values are right into their EXPECT lines.
record_counts() {
    grep "^COUNTS" "$scratch/results" | while read -r _ file number counts; do
        line=$(grep -n "EXPECT " "$file" | sed -n "${number}p" | cut -d: -f1)
        sed -i -E -e "${line}s/ (executions|distinct)=[0-9]+//g" \
            -e "${line}s/(EXPECT( [a-z]+=[^ ]+)+)/\\1 $counts/" "$file"
    done
}

# Prints the lines of one() as TAP, which `prove` reads.
tap() {
    local kind text number=0
    while read -r kind text; do
        text=${text//#/\\#}
        case $kind in
        ok) echo "ok $((number += 1)) - $text" ;;
        FAIL) echo "not ok $((number += 1)) - $text" ;;
        MEASURED) echo "# $text" ;;
        esac
    done
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3"
    exit
fi
record=
case ${1:-} in --measure | --record)
    export MEASURE=1
    [ "$1" = --measure ] || { record=yes && export STRATEGY=icb; }
    shift
    ;;
esac
[ -x "$MAZUR" ] || { echo "run.sh: no $MAZUR: run make first" >&2; exit 70; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/mazur-programs.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -o "$scratch/jsonget" jsonget.c -ljansson || exit 70
cases "$@" | grep -vE "^[^/]*/(${SKIP:-:})" >"$scratch/cases"
[ -s "$scratch/cases" ] || { echo "run.sh: no case is chosen by: $*" >&2; exit 70; }
echo "1..$(wc -l <"$scratch/cases")"
xargs -d '\n' -P "$JOBS" -I{} ./run.sh --one {} "$scratch" <"$scratch/cases" | tee "$scratch/results" | tap
[ -z "$record" ] || record_counts
[ -z "${KEEP:-}" ] || cp -r "$scratch/kept" "$KEEP"
failed=$(grep -c '^FAIL' "$scratch/results")
passed=$(grep -c '^ok' "$scratch/results")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = "$(wc -l <"$scratch/cases")" ] && [ "$passed" -gt 0 ]
