#!/bin/bash
# What a visible operation costs under each strategy, relative to dfs, on executions of about
# 100, 300, 1000 and 3000 operations (three threads, nearly all operations private), and how
# it grows with their length. dpor has a bar: 3 times dfs at 1000 operations, and growth no worse
# than linear, that is, a constant cost per operation.
# The cost is processor time over all operations run, those of cut executions included; what a
# search of one execution takes is subtracted from both.
. "$(dirname "$0")/common.sh"
strategies='dfs icb delay random pct dpor bpor optimal cbpor cbpor-1 sdpor'
lengths='30 97 330 997'

# cost_of STRATEGY PRIVATE BOUND: nanoseconds, or nothing
cost_of() {
    local -a search=(bench/increments.c -DPRIVATE="$2" --strategy "$1" --bound "$3"
        --time "${seconds}s" --count-traces=no)
    local once once_steps
    measure "${search[@]}" --execs 1 >&2 || return 0
    [ "$steps" -gt 0 ] || return 0
    once=$cpu once_steps=$steps
    measure "${search[@]}" >&2
    # a search that is over after a few executions measures its own start
    awk "BEGIN { if ($steps >= 20 * $once_steps && $cpu > $once)
        printf \"%.0f\", ($cpu - $once) / ($steps - $once_steps) * 1e9 }"
}

title 'Nanoseconds per visible operation (relative to dfs)'
declare -A cost
printf '%-9s' strategy
for private in $lengths; do printf ' %18s' "$((3 * private)) operations"; done
printf ' %24s\n' 'longest / shortest'
for strategy in $strategies; do
    has "$strategy" || continue
    case $strategy in
    icb | bpor | cbpor | cbpor-1) bound=2 ;;
    *) bound=none ;;
    esac
    printf '%-9s' "$strategy"
    for private in $lengths; do
        cost[$strategy.$private]=$(cost_of "$strategy" "$private" "$bound")
        if [ -z "${cost[$strategy.$private]}" ]; then
            printf ' %18s' 'too few to tell'
        else
            printf ' %18s' "$(awk "BEGIN {
                printf \"%d (%.2f)\", ${cost[$strategy.$private]}, ${cost[$strategy.$private]} / ${cost[dfs.$private]} }")"
        fi
    done
    if [ -n "${cost[$strategy.997]:-}" ] && [ -n "${cost[$strategy.30]:-}" ]; then
        printf ' %24s' "$(awk "BEGIN { printf \"%.2f\", ${cost[$strategy.997]} / ${cost[$strategy.30]} }")"
    fi
    printf '\n'
done
awk "BEGIN { printf \"dpor / dfs at 1000 operations: %.2f (bar: 3)\n\", ${cost[dpor.330]} / ${cost[dfs.330]} }"
