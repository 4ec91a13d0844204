#!/bin/bash
# Paper 000, Table 1: terminal executions of plain bounded search (icb) and of cb-por on a
# work-stealing queue with 3, 4 and 5 jobs, within bounds 0 to 4, side by side; bpor (paper 002)
# between them. Then the same with the paper's notion of a step (-DPAPER, preemptions only at head and
# tail), beside what the paper has. Paper 003, Table 2: the queue's three bugs, each within bound 2. Draws the share of redundant
# executions, ours and the paper's, in build/bench/redundant.svg (--docs: in docs/, too). Fails when cb-por
# runs another number of executions than icb finds traces, or a bug is not found.
. "$(dirname "$0")/common.sh"
bounds='0 1 2 3 4'
wrong=0

title 'Work-stealing queue: executions within the bound (traces among them)'
declare -A runs traces took
for size in 3 4 5; do
    for strategy in icb bpor cbpor; do
        measure "$programs/work_stealing.c" -DSIZE=$size --strategy $strategy --bound 4 \
            --time "$((seconds * 5))s"
        took[$size.$strategy]=$time
        for bound in $bounds; do
            if at_bound "$bound"; then
                runs[$size.$strategy.$bound]=$executions traces[$size.$strategy.$bound]=$distinct
            else
                runs[$size.$strategy.$bound]='>' traces[$size.$strategy.$bound]=''
            fi
        done
    done
done

printf '%-6s' bound
for size in 3 4 5; do printf ' | %9s %8s %8s %8s' "$size: icb" traces bpor cbpor; done
printf '\n'
for bound in $bounds; do
    printf '%-6s' "$bound"
    for size in 3 4 5; do
        printf ' | %9s %8s %8s %8s' "${runs[$size.icb.$bound]}" "${traces[$size.icb.$bound]}" \
            "${runs[$size.bpor.$bound]}" "${runs[$size.cbpor.$bound]}"
        if [ -n "${traces[$size.icb.$bound]}" ] && [ "${runs[$size.cbpor.$bound]}" != '>' ] &&
            [ "${traces[$size.icb.$bound]}" != "${runs[$size.cbpor.$bound]}" ]; then
            wrong=1
        fi
    done
    printf '\n'
done
printf '%-6s' seconds
for size in 3 4 5; do
    printf ' | %8.2f %8s %8.2f %8.2f' "${took[$size.icb]}" '' "${took[$size.bpor]}" \
        "${took[$size.cbpor]}"
done
printf '\n'

title "With the paper's steps: executions and traces, redundant ones in percent; what the paper has"
printf '%-6s %-5s %8s %8s %10s   %8s %8s %10s\n' bound jobs icb traces redundant 'paper:' cb-por redundant
percent() { awk -v all="$1" -v few="$2" 'BEGIN { printf "%.0f", 100 * (1 - few / all) }'; }
paper='3:0:2:2 3:1:46:46 3:2:756:713 3:3:8918:7838 3:4:66374:48828 4:0:2:2 4:1:54:54 4:2:898:853 4:3:12711:8458
4:4:95935:52572 5:0:2:2 5:1:67:67 5:2:1197:1136 5:3:19460:14563 5:4:161637:95068'
mkdir -p "$output"
csv=$output/redundant.csv
echo 'jobs,series,bound,percent' >"$csv"
for size in 3 4 5; do
    # the traces among them are what cb-por runs (the table above shows that it does)
    measure "$programs/work_stealing.c" -DPAPER -DSIZE=$size --preempt-only head --preempt-only tail --strategy icb \
        --bound 4 --time "$((seconds * 5))s"
    for bound in $bounds; do
        at_bound "$bound" || continue
        all=$executions few=$distinct
        IFS=: read -r _ _ theirs fewer <<<"$(grep -oE "\b$size:$bound:[0-9:]+" <<<"$paper")"
        printf '%-6s %-5s %8s %8s %8s %%   %8s %8s %8s %%\n' "$bound" "$size" "$all" "$few" "$(percent "$all" "$few")" \
            "$theirs" "$fewer" "$(percent "$theirs" "$fewer")"
        [ "$bound" != 1 ] || [ "$all" = "$few" ] || wrong=1
        echo "$size jobs,icb,$bound,$(percent "$all" "$few")" >>"$csv"
        echo "$size jobs,paper,$bound,$(percent "$theirs" "$fewer")" >>"$csv"
    done
done
awk -v what='percent of executions that are redundant' -v across=bound -v scale=linear -f bench/coverage_plot.awk "$csv" \
    >"$output/redundant.svg"
[ "${1:-}" != --docs ] || cp "$output/redundant.svg" docs/
echo "drawing: $output/redundant.svg"

title 'Work-stealing queue: the three bugs, and again with a queue that is full at the start'
printf '%-12s %-8s %-10s %12s %11s %9s\n' bug strategy verdict preemptions executions seconds
for variant in '1' '2' '3' '1 -DFULL' '2 -DFULL' '3 -DFULL'; do
    for strategy in icb bpor cbpor; do
        # shellcheck disable=SC2086
        measure "$programs/work_stealing.c" -DBUG=$variant --strategy $strategy --bound 2 \
            --time "$((seconds * 5))s"
        printf '%-12s %-8s %-10s %12s %11s %9.3f\n' "${variant/-D/}" $strategy "$verdict" \
            "$preemptions" "$executions" "$time"
        [ "$verdict" = assertion ] || wrong=1
    done
done
exit $wrong
