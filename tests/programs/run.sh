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
#   uncontrolled name of a call that must be listed as outside Mazur's control, also with _ for a blank
#
# A failing search must also write a trace file, and replaying it must fail in the same way
# (except nondeterminism, which by its nature need not repeat).
#
# Usage: run.sh [--measure | --record] [FILTER...]
# Cases whose file name contains a FILTER, or, for a FILTER with a slash, whose FAMILY/FILE does: locks/
# --measure prints what came out; --record writes the icb counts of the cases that came out right
# otherwise into their EXPECT lines, for a person to look at the difference.
# Environment: CC (cc), JOBS (2), REPLAYS (2), MAZUR (bin/mazur), STRATEGY, ISOLATE, CHECKPOINTS, SKIP (cases whose
# file names begin so, a regular expression), ONE_IN (3: one pair in three) and SEED (a number: which ones).
set -u
cd "$(dirname "$0")" || exit 70
here=$PWD
# shellcheck source=../patience.sh
. "$here/../patience.sh"
# shellcheck source=../jsonget.sh
. "$here/../jsonget.sh"
MAZUR=${MAZUR:-$here/../../bin/mazur}
JOBS=${JOBS:-2}
REPLAYS=${REPLAYS:-2}
export MAZUR JOBS REPLAYS

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

# Lines "file:number:EXPECT line" of all cases that the filters choose: the lines of a file's first comment,
# without the word itself.
cases() {
    local file files=()
    for file in */*_good.c */*_bad.c */*_good.cpp */*_bad.cpp; do
        [ -e "$file" ] && chosen "$file" "$@" && files+=("$file")
    done
    [ ${#files[@]} -gt 0 ] && awk '
        function end_file() { if (file != "" && !count) print file ":0:" }
        FNR == 1 { end_file(); file = FILENAME; count = over = 0 }
        over { next }
        { over = /\*\//; sub(/ *\*\/.*/, ""); if (sub(/^.*EXPECT  */, "")) print file ":" ++count ":" $0 }
        END { end_file() }' "${files[@]}"
}

# Of the cases that are read, those of one pair in $ONE_IN. Neighbours in SEED choose other pairs.
sample() {
    [ "${ONE_IN:-1}" -gt 1 ] || { cat && return; }
    awk -v every="$ONE_IN" -v seed="${SEED:-0}" '
        BEGIN { for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i }
        {
            pair = $0
            sub(/_(good|bad)\..*/, "", pair)
            hash = seed % 65521
            for (i = 1; i <= length(pair); i++) hash = (hash * 31 + code[substr(pair, i, 1)]) % 65521
            if (hash % every == 0) print
        }'
}

# What follows runs three thousand times in `make test`: a subshell or a command for each value would cost
# more than the searches do. So functions answer in variables, and one jsonget reads what a case may ask for.

# The values of the search's result. The message and its advice, which may have several lines, come last.
read_fields() {
    local keys=(verdict preemptions complete executions distinct seconds location uncontrolled message failures.0.detail)
    local values i
    fields=([exit]=$status) message=
    [ -s "$work/result.json" ] || return
    mapfile -t values < <("$scratch/jsonget" "$work/result.json" "${keys[@]}")
    for i in "${!keys[@]}"; do fields[${keys[i]}]=${values[i]-}; done
    message=${values[*]:8}
    # without folders, and without a column
    fields[location]=${fields[location]##*/}
    [[ ${fields[location]} =~ ^[^:]*:[0-9]* ]] && fields[location]=${BASH_REMATCH[0]}
    fields[bound]=${fields[preemptions]}
}

# The line of $file that carries the comment HERE, as $here_line.
find_here() {
    local lines
    mapfile -t lines <"$file"
    for here_line in "${!lines[@]}"; do
        case ${lines[here_line]} in *'/* HERE */'* | *'// HERE'*) here_line=$((here_line + 1)) && return ;; esac
    done
    here_line=
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
    [ "${STRATEGY:-}" = sdpor ] && [ "${fields[complete]-}" = false ] &&
        grep -qE "without the race detector's clocks|a state was met again" "$work/result.json"
}

# Compare one key=value; adds "; " and what differs to $wrong or $counts.
compare() {
    local key=${1%%=*} expected=${1#*=} got here_line
    case $key in
    executions) [ "${STRATEGY:-}" = icb ] && counts_apply || return ;;
    bound) ! unbounded || return ;;
    distinct)
        counts_apply || return
        [ "${STRATEGY:-}" != sdpor ] || return
        [ "${STRATEGY:-}" = icb ] || [ "$status" = 0 ] || return ;;
    location)
        ! unbounded || return
        find_here
        expected=${file##*/}:$here_line ;;
    says)
        expected=${expected//_/ }
        [[ ${message,,} == *"${expected,,}"* ]] || wrong+="; message '$message' lacks '$expected'"
        return ;;
    uncontrolled)
        [[ ${fields[uncontrolled]-} == *"\"$expected\""* || ${fields[uncontrolled]-} == *"\"${expected//_/ }\""* ]] || wrong+="; $expected is not listed as uncontrolled"
        return ;;
    verdict | complete)
        case $1 in verdict=passed | complete=true) ! unproven || return ;; esac ;;
    exit) ;;
    *)
        wrong+="; unknown key '$key'"
        return ;;
    esac
    got=${fields[$key]-}
    [ "$got" != "$expected" ] || return
    case $key in
    executions | distinct) counts+="; $key is '$got', expected '$expected'" ;;
    *) wrong+="; $key is '$got', expected '$expected'" ;;
    esac
}

# Adds "; " and what differs to $wrong.
replay() {
    local trace code hang=()
    set -- "$work"/traces/*.mzt
    trace=$1
    if [ ! -e "$trace" ]; then
        wrong+="; no trace file"
        return
    fi
    [ "$REPLAYS" -gt 0 ] || return
    [[ ! $flags =~ --hang\ [^\ ]* ]] || hang=(${BASH_REMATCH[0]})
    timeout "$PATIENCE" "$MAZUR" replay "${hang[@]}" --times "$REPLAYS" "$trace" >"$work/replay.txt" 2>&1 </dev/null
    code=$?
    [ "$code" = "$status" ] || wrong+="; replay exits with $code, the search with $status"
}

# Run case $1 (a line of `cases`) in directory $2; prints one line.
one() {
    local file=${1%%:*} number=${1#*:} work=$2 text pair status message wrong='' counts=''
    local -A fields=()
    text=${number#*:} number=${number%%:*}
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
    [ -z "${CHECKPOINTS:-}" ] || flags="--checkpoints=$CHECKPOINTS $flags"
    [ -z "${CC:-}" ] || flags="--compiler $CC $flags"
    mkdir -p "$work/traces"
    # shellcheck disable=SC2086 # flags are words
    timeout "$PATIENCE" "$MAZUR" check --json "$work/result.json" --trace-dir "$work/traces" \
        "$file" -I ../../include $flags >"$work/output.txt" 2>&1 </dev/null
    status=$?
    read_fields
    # 500 threads need more stack than a small `ulimit -v` allows: a message that says so is
    # enough
    if [ "${fields[verdict]-}" = limit ] && [ "$(ulimit -v)" != unlimited ]; then
        echo "ok $file${flags:+ [$flags]}: more memory than ulimit -v"
        return
    fi
    for pair in $expected; do
        compare "$pair"
    done
    if [ "$status" = 70 ] && grep -q "processor time (ulimit -t)" "$work/output.txt"; then
        wrong="; the search took more than $PROCESSOR_TIME s of processor time: a smaller program, or a --bound in its EXPECT line?"
    fi
    case $status in 1 | 2 | 3 | 4 | 7 | 9 | 11 | 12) replay ;; esac
    if [ -n "${MEASURE:-}" ]; then
        echo "MEASURED $file:$number verdict=${fields[verdict]-} exit=$status bound=${fields[bound]-}" \
            "complete=${fields[complete]-} executions=${fields[executions]-}" \
            "distinct=${fields[distinct]-} seconds=${fields[seconds]-} location=${fields[location]-}"
        [ -n "$wrong" ] || echo "COUNTS $file $number executions=${fields[executions]-}" \
            "distinct=${fields[distinct]-}"
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
}

# Run some cases, one after the other.
several() {
    local line folders folder=0
    folders=$(mktemp -d "$scratch/case.XXXXXX")
    for line; do
        one "$line" "$folders/$((folder += 1))"
    done
    rm -rf "$folders"
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

if [ "${1:-}" = --several ]; then
    scratch=$2
    shift 2
    ulimit -St "$PROCESSOR_TIME" # the soft limit: some programs change their own
    several "$@"
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
make_jsonget "$scratch" || exit 70
cases "$@" | grep -vE "^[^/]*/(${SKIP:-:})" >"$scratch/all"
sample <"$scratch/all" >"$scratch/cases"
[ -s "$scratch/cases" ] || [ ! -s "$scratch/all" ] || { echo "1..0 # SKIP the sample has none of these" && exit; }
[ -s "$scratch/cases" ] || { echo "run.sh: no case is chosen by: $*" >&2; exit 70; }
echo "1..$(wc -l <"$scratch/cases")"
xargs -d '\n' -P "$JOBS" -n 8 ./run.sh --several "$scratch" <"$scratch/cases" | tee "$scratch/results" | tap
[ -z "$record" ] || record_counts
[ -z "${KEEP:-}" ] || cp -r "$scratch/kept" "$KEEP"
failed=$(grep -c '^FAIL' "$scratch/results")
passed=$(grep -c '^ok' "$scratch/results")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = "$(wc -l <"$scratch/cases")" ] && [ "$passed" -gt 0 ]
