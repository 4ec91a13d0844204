#!/bin/bash
# Paper 001: states within a bound of context switches (Table 1, Figures 7 and 9), and the counter-examples that each search finds:
# states and transitions until then, and switches (Tables 2 to 4, Figure 11). The paper's figures are beside ours, in the drawing
# as circles. nbq, tpc, DEOS and mrf are not public: bench/models/evaluation has models of their kind. snoopy, dtp, pftp and
# cambridge are Spin's Examples, which Debian's package `spin` has; without it their rows are left out.
#
# Writes bounded_models.csv and an SVG to build/bench; with --docs the drawing goes to docs/. Fails where a larger bound has fewer
# states without reduction, or where a failure is found by one search and not by another one that covers it.
. "$(dirname "$0")/common.sh"
mkdir -p "$output"
csv=$output/bounded_models.csv
examples=/usr/share/doc/spin/examples/Examples
models=bench/models/evaluation
wrong=0

file_of() { # MODEL
    case $1 in
    pftp) echo $examples/LTL/pftp.pml ;;
    snoopy | dtp | cambridge) echo "$examples/$1.pml" ;;
    *) echo "$models/$1.pml" ;;
    esac
}

# search MODEL OPTIONS...: leaves the figures in $states, $transitions, $switches and $verdict
search() {
    local figures model=$1
    shift
    rm -f "$scratch/result.json"
    "$mazur" model "$(file_of "$model")" "$@" --memory 2G --time "$((seconds * 30))s" --no-trace --quiet \
        --json "$scratch/result.json" >/dev/null 2>&1 || true
    verdict='' states='' transitions='' switches=''
    [ -s "$scratch/result.json" ] || return 0 # refused
    mapfile -t figures < <("$jsonget" "$scratch/result.json" verdict passes.0.states passes.0.transitions failures.0.switches)
    verdict=${figures[0]} states=${figures[1]} transitions=${figures[2]} switches=${figures[3]:--}
}

percent() { awk -v part="$1" -v all="$2" 'BEGIN { print 100 * part / all }'; }

# row MODEL REDUCTION PAPER...: states without a bound, and within 0, 1, 2, 4, 8 and 16
row() {
    local model=$1 por=$2 bound line all before=0
    shift 2
    [ -e "$(file_of "$model")" ] || return 0
    search "$model" --no-claim --keep-going --optimize off --por "$por"
    line=$(printf '%9s' "$states") all=$states
    for bound in 0 1 2 4 8 16; do
        search "$model" --no-claim --keep-going --optimize off --por "$por" --bound $bound
        line+=$(printf ' %9s' "$states")
        [ "$por" = on ] || [ "$states" -ge $before ] || wrong=1
        before=$states
        echo "$model,$([ "$por" = on ] && echo reduced || echo 'not reduced'),$bound,$(percent "$states" "$all")" >>"$csv"
    done
    printf '%-11s %-3s %s\n%-15s' "$model" "$por" "$line" '  paper'
    printf ' %9s' "$@"
    echo
    all=$1
    shift
    for bound in 0 1 2 4 8 16; do
        echo "$model,$([ "$por" = on ] && echo 'paper (reduced)' || echo paper),$bound,$(percent "$1" "$all")" >>"$csv"
        shift
    done
}

title 'Paper 001, Table 1: states without a bound and within 0, 1, 2, 4, 8 and 16, without and with reduction'
echo 'model,series,bound,percent' >"$csv"
row nbq off 616 56 187 504 616 616 616
row nbq on 415 98 312 408 415 415 415
row snoopy off 61619 24118 53739 61209 61619 61619 61619
row snoopy on 9343 26420 9466 9466 9466 9466 9466
row dtp off 394182 512 8547 41628 210152 392892 394182
row dtp on 55647 512 64600 55856 55647 55647 55647
row worst-case off 88573 7167 22784 45567 80511 88571 88573
row worst-case on 88753 7167 18687 38144 75008 88552 88573
row pftp off 439894 143405 376557 438495 439894 439894 439894
row pftp on 160033 79365 155691 159264 159594 159588 159700
row cambridge off 532532 190503 506892 530411 532532 532532 532532
row cambridge on 286223 216010 341816 342229 336698 228134 288134
row tpc off 32898808 12156530 26032145 31464747 32871059 32898808 32898808
row tpc on 4717906 12946643 15221436 15259211 15076229 13611964 13600187
row DEOS off 111587460 54 719626 6023279 45445241 80560217 103047910
row DEOS on 22452390 89 549414 3703497 14324934 17011889 21409723
row mrf off 398236000 6042 576964 12303586 138032220 388580190 398236000
row mrf on 284243830 8430 131674830 225001910 283732640 284080270 284080270

# example MODEL REDUCTION OPTIONS PAPER...: states/transitions/switches of what each search finds; - where nothing is found
example() {
    local model=$1 por=$2 how=$3 bound line='' found
    shift 3
    [ -e "$(file_of "$model")" ] || return 0
    for bound in bfs dfs 0 1 2 4 8 16; do
        case $bound in bfs | dfs) found="--search $bound --bound none" ;; *) found="--bound $bound" ;; esac
        # shellcheck disable=SC2086
        search "$model" --por "$por" --optimize off $how $found
        case $verdict in
        passed | nothing-found | complete) line+=$(printf ' %17s' -) ;;
        '') line+=$(printf ' %17s' refused) ;;
        *) line+=$(printf ' %17s' "$states/$transitions/$switches") ;;
        esac
    done
    printf '%-11s %-3s %s\n%-15s' "$model" "$por" "$line" '  paper'
    printf ' %17s' "$@"
    echo
}

title 'Paper 001, Tables 2 to 4: states/transitions/switches until the first failure: breadth first, depth first, bounds 0 to 16'
example snoopy off --no-claim 5346/6576/17 3591/5507/1424 1354/1524/414 1352/1522/415 1501/1698/445 1015/1130/326 1236/1403/387 1236/1402/402
example snoopy on --no-claim - 1249/1637/523 916/1054/335 560/636/228 560/636/228 560/636/228 560/636/228 560/636/228
example tpc off --no-claim 2497/3950/19 190/320/70 243/261/67 249/276/67 249/282/67 249/282/67 249/282/67 249/282/67
example tpc on --no-claim - 93/99/33 243/261/67 198/244/109 198/244/109 198/244/109 198/244/109 198/244/109
example nbq off --no-claim 385/565/10 437/752/42 56/57/- 41/42/4 41/42/4 41/42/4 41/42/4 41/42/4
example nbq on --no-claim - 333/454/32 41/277/4 225/407/6 293/417/6 293/417/6 293/417/6 293/417/6
example mrf off '--ltl all_are_sent' - 6330/7357/310 - 1309/1332/6 1745/2565/6 1848/3066/6 1848/3074/6 1848/3074/6
example mrf on '--ltl all_are_sent' - 5140/5587/294 - 1381/1490/8 1587/2027/8 1602/2056/8 1602/2056/8 1602/2056/8
example worst-case off '' 33598/147559/10 59058/378941/10 - - - - - 59058/517742/10
example worst-case on '' - 49224/291801/10 - - - - - 49224/266645/10

awk -v what='percent of the states without a bound' -v across='bound' -v scale=linear -f bench/coverage_plot.awk "$csv" >"$output/bounded_models.svg"
[ "${1:-}" != --docs ] || cp "$output/bounded_models.svg" docs/
echo "drawing: $output/bounded_models.svg"
exit $wrong
