#!/bin/bash
# Programs whose number of traces within bound 0, 1, 2, … is known: what each strategy runs to
# find them. Prints executions/traces after each bound (cumulative, as a user pays for them), the
# time, and how many executions were begun and cut short (asleep, or beyond the bound); fails
# when a figure is wrong, so it is a test as well as a benchmark:
#
#   icb, cbpor, cbpor-1   find exactly the known number of traces at each bound
#   cbpor                 runs one execution per trace
#   bpor, auto            cover states, not traces: never more traces than the known number at
#                         a bound, all of them in the end
#   dpor, optimal         have no bound: all traces; optimal in as many executions
#
# Usage: bench/known_counts.sh [--fast|--list]      --fast: the small programs, without a time limit
#        --list: nothing is searched; for each program a line "COUNTS: FLAGS" (tests/fuzz/parallel.sh reads it)
. "$(dirname "$0")/common.sh"
fast=false
list=false
[ "${1:-}" = --fast ] && fast=true
[ "${1:-}" = --list ] && list=true
$fast && seconds=3600 # a test: every search must come to its end, on any machine
wrong=0

complain() {
    printf 'WRONG: %s\n' "$*"
    wrong=$((wrong + 1))
}

# row LABEL STRATEGY "COUNTS" FLAGS...
row() {
    local label=$1 strategy=$2 line='' bound=0 last expected
    local -a counts
    read -ra counts <<<"$3"
    shift 3
    last=${counts[-1]}
    case $strategy in
    dpor | optimal)
        measure "$programs/traces.c" "$@" --strategy "$strategy" --bound none --time "${seconds}s"
        line=$(cell "$executions/$distinct")
        [ "$complete" = true ] && [ "$distinct" != "$last" ] &&
            complain "$label, $strategy: $distinct traces instead of $last"
        [ "$strategy" = optimal ] && [ "$executions" != "$distinct" ] &&
            complain "$label, optimal: $executions executions for $distinct traces"
        ;;
    *)
        measure "$programs/traces.c" "$@" --strategy "$strategy" --bound $((${#counts[@]} - 1)) \
            --time "${seconds}s"
        for expected in "${counts[@]}"; do
            if ! at_bound "$bound"; then
                line+=" >"
                break
            fi
            line+=" $executions/$distinct"
            compare "$label" "$strategy" "$bound" "$expected" "$last"
            bound=$((bound + 1))
        done
        ;;
    esac
    printf '  %-8s %7.2f s %7s cut  %s\n' "$strategy" "$time" "$pruned" "${line# }"
    if $fast && [ "$ended" != searched ]; then
        complain "$label, $strategy: not finished in $seconds s"
    fi
}

compare() {
    local label=$1 strategy=$2 bound=$3 expected=$4 last=$5
    if [[ $strategy =~ ^(bpor|auto)$ ]] && [ "$expected" != "$last" ]; then
        [ "$distinct" -le "$expected" ] ||
            complain "$label, $strategy, bound $bound: $distinct traces, more than $expected"
    elif [ "$distinct" != "$expected" ]; then
        complain "$label, $strategy, bound $bound: $distinct traces instead of $expected"
    fi
    if [ "$strategy" = cbpor ] && [ "$executions" != "$distinct" ]; then
        complain "$label, cbpor, bound $bound: $executions executions for $distinct traces"
    fi
}

# program LABEL "COUNTS" "STRATEGIES" FLAGS...
program() {
    local label=$1 counts=$2 strategies=$3 strategy
    shift 3
    if $list; then
        echo "$counts: $*"
        return
    fi
    printf '%s: traces within bound 0, 1, …: %s\n' "$label" "${counts// /, }"
    for strategy in $strategies; do
        row "$label" "$strategy" "$counts" "$@"
    done
}

all='auto icb bpor cbpor cbpor-1 dpor optimal'
$list || title 'Known numbers of traces: executions/traces after each bound'
program 'store buffering' '2 3' "$all" -DBUFFERING
program '3 x fetch_add' '6' "$all" -DVARIABLES=1 -DN=3
program '4 x fetch_add' '24' "$all" -DVARIABLES=1 -DN=4
if $fast; then
    few='auto cbpor cbpor-1 dpor optimal'
    program '3 x fetch_add on 3 variables' '6 42 120' 'icb' -DVARIABLES=3 -DN=3
    program '3 x fetch_add on 3 variables' '6 42 120 192 216' "bpor $few" -DVARIABLES=3 -DN=3
    program '3 x CAS, then store' '6 24 54' 'icb' -DSWAP -DN=3
    program '3 x CAS, then store' '6 24 54 66' "bpor $few" -DSWAP -DN=3
    program '4 x CAS, then store' '24 168 576 1056 1200' "$few" -DSWAP -DN=4
else
    program '5 x fetch_add' '120' "$all" -DVARIABLES=1 -DN=5
    program '3 x fetch_add on 3 variables' '6 42 120 192 216' "$all" -DVARIABLES=3 -DN=3
    program '4 x fetch_add on 3 variables' '24 312 1704 5160 9792 12960 13824' "$all" \
        -DVARIABLES=3 -DN=4
    program '3 x CAS, then store' '6 24 54 66' "$all" -DSWAP -DN=3
    program '4 x CAS, then store' '24 168 576 1056 1200' "$all" -DSWAP -DN=4
    program '5 x CAS, then store' '120 1320 6720 18720 30000 32880' "$all" -DSWAP -DN=5
fi
[ "$wrong" = 0 ] || {
    echo "$wrong figures are wrong"
    exit 1
}
