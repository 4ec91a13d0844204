#!/bin/bash
# Mazur and Spin side by side on models: time to the verdict (translation and compilation
# included), rate and memory of the search, two workers, claims and cycles, bounds as in paper 001's
# Table 1, counter-examples as in its Table 4. Each line that has a bar to clear ends in `ok` or `FAIL`.
#
# Bars: the verdict is there no later than Spin's; on large models at least 1.5 times as soon with
# one worker, and a search 1.7 times as fast with two as with one; at most a third of Spin's memory
# per state; with a bound at most twice the transitions that the definition needs.
#
# Spin is the Debian package `spin`, with its Examples; without it the Mazur columns are printed
# alone. On a busy machine only the ratios within a line mean something, and two workers gain
# nothing.
# Usage: bench/promela.sh [--quick | --brief | --live | --bars]
#   --quick: the verdicts on Spin's examples; --brief: also bounds and counter-examples, of the smaller models (`make bench`); --live: claims and cycles only; --bars: these and the
#   large models (about ten minutes), exit status 1 if a bar was missed
set -u
cd "$(dirname "$0")/.." || exit 70
MAZUR=$(realpath "${MAZUR:-bin/mazur}")
models=$PWD/bench/models
examples=/usr/share/doc/spin/examples/Examples
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 70
with_spin=false
command -v spin >/dev/null && [ -d "$examples" ] && with_spin=true
$with_spin || echo "Spin is not installed (apt-get install spin): its columns are empty"
passed=0 missed=0
limit=300 # seconds of one search by Spin

now() { date +%s%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", (b - a) / 1e9 }'; }
field() { sed -n "s/^  \"$1\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p" json; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a + 0 > 0 && b + 0 > 0) printf "%.2f", a / b; else printf "-" }'; }
per_second() { awk -v n="$1" -v s="$2" 'BEGIN { if (n + 0 > 0 && s + 0 > 0) printf "%.0f", n / s / 1000; else printf "-" }'; }
most() { awk -v a="$1" -v b="$2" 'BEGIN { print (a + 0 > b + 0 ? a : b) }'; }
least() { awk -v a="$1" -v b="$2" 'BEGIN { print (a == "" || b + 0 < a + 0) ? b : a }'; }

# judge VALUE AT_LEAST [VALUE AT_LEAST]...: leaves ok, FAIL, or nothing where Spin has no figure
judge() {
    bar=ok
    while [ $# -gt 0 ]; do
        if [ "$1" = - ]; then
            bar='' && return
        elif awk -v a="$1" -v b="$2" 'BEGIN { exit a + 0 >= b + 0 }'; then
            bar=FAIL
        fi
        shift 2
    done
    if [ $bar = ok ]; then passed=$((passed + 1)); else missed=$((missed + 1)); fi
}

TIMEFORMAT='%U %S'
cpu() { awk '{ printf "%.2f", $1 + $2 }' cpu; } # of the command that wrote to it

mazur() { # MODEL OPTIONS...: mazur_time, mazur_states, …
    local from
    from=$(now)
    rm -f json
    { time timeout 900 "$MAZUR" model "$@" --time 0 --quiet --no-trace --json json >out 2>err; } \
        2>cpu
    mazur_time=$(since "$from") mazur_cpu=$(cpu)
    mazur_states=$(field states) mazur_bytes=$(field bytes_per_state)
    mazur_search=$(field seconds) mazur_transitions=$(field transitions)
    mazur_preemptions=$(field preemptions)
}

# The same, several times: the shortest times are kept, so that a moment's other load is not.
mazur_best() { # TIMES MODEL OPTIONS...
    local count=$1 time='' search='' least_cpu=''
    shift
    for ((; count > 0; count--)); do
        mazur "$@"
        time=$(least "$time" "$mazur_time") search=$(least "$search" "$mazur_search")
        least_cpu=$(least "$least_cpu" "$mazur_cpu")
    done
    mazur_time=$time mazur_search=$search mazur_cpu=$least_cpu
}

# pan from FILE, options of spin and of the compiler
spin_build() {
    # shellcheck disable=SC2086
    {
        spin -a $2 "$1" >/dev/null 2>&1
        cc -O2 -w -DMEMLIM=16000 -DVECTORSZ=4096 $3 -o pan pan.c 2>/dev/null
    }
}

spin_search() { # OPTIONS of pan
    # shellcheck disable=SC2086
    timeout $limit ./pan -m8000000 $1 >pan.out 2>/dev/null
}

spin_figures() {
    spin_states=$(awk '/states, stored/ {print $1; exit}' pan.out)
    spin_transitions=$(awk '/transitions \(/ {print $1; exit}' pan.out)
    # the states alone, and with the hash table; the stack, which Mazur's figure has, left out
    spin_bytes=$(memory 'actual memory usage for states') spin_table=$(memory 'hash table')
    spin_table=$(awk -v a="$spin_bytes" -v b="$spin_table" 'BEGIN { print a + b }')
}

memory() { # LINE of pan's report: bytes per state
    awk -v n="$spin_states" -v line="$1" '$0 ~ line {v = $1}
        END { if (n > 0) printf "%.1f", v * 1048576 / n }' pan.out
}

# Spin: FILE, options of spin, of the compiler, of pan. spin_time is all three together.
spin_run() {
    local from search
    spin_time=- spin_search=- spin_states=- spin_bytes=- spin_table=- spin_transitions=- spin_cpu=-
    $with_spin || return
    from=$(now)
    {
        time {
            spin_build "$1" "$2" "$3"
            search=$(now)
            spin_search "$4"
        }
    } 2>cpu
    spin_time=$(since "$from") spin_search=$(since "$search") spin_cpu=$(cpu)
    spin_figures
}

verdicts() {
    local name
    echo
    echo "Time to the verdict, defaults (reduction on), claims off, first error ends; seconds"
    printf '%-20s %10s %10s %8s\n' model Spin Mazur ratio
    for name in abp cambridge dtp eratosthenes hajek leader0 manna_pnueli peterson snoopy sort \
        LTL/bakery LTL/mobile1 LTL/pftp LTL/train; do
        [ -e "$examples/$name.pml" ] || continue
        spin_run "$examples/$name.pml" '' '-DSAFETY -DNOCLAIM' ''
        mazur "$examples/$name.pml" --no-claim
        judge "$(ratio "$spin_time" "$mazur_time")" 1
        printf '%-20s %10s %10s %8s %5s\n' "$name" "$spin_time" "$mazur_time" \
            "$(ratio "$spin_time" "$mazur_time")" "$bar"
    done
}

large() {
    local file options='--no-claim --keep-going --optimize off --por off' one all one_cpu bytes
    local sooner gain share
    echo
    echo "All states, plain semantics, no reduction; Mazur: the best of four runs."
    echo "k/s: thousand states per second of search; all, cpu: seconds of everything, by the clock and"
    echo "of the processor; bytes: per state (Spin: states alone, and with its hash table, without its"
    echo "stack; Mazur: all it uses, with one worker and with two). sooner: all, Spin's over Mazur's."
    echo "gain: two workers over one. third: bytes of Spin's states alone over Mazur's, the worse of both."
    printf '%-12s %9s | %6s %6s %6s %6s %6s | %6s %6s %6s %5s | %6s %6s %5s | %6s %5s %5s\n' model states \
        'S. k/s' all cpu bytes table 'M. k/s' all cpu bytes 'two' cpu bytes sooner gain third
    for file in $examples/cambridge.pml $examples/sort.pml "$models"/*.pml; do
        [ -e "$file" ] || continue
        spin_run "$file" '-o1 -o2 -o3' '-DSAFETY -DNOREDUCE -DNOCLAIM' '-c0 -w24'
        # shellcheck disable=SC2086
        mazur_best 4 "$file" $options
        one=$mazur_search bytes=$mazur_bytes all=$mazur_time one_cpu=$mazur_cpu
        [ "$with_spin" = false ] || [ "$spin_states" = "$mazur_states" ] ||
            echo "$file: Spin has $spin_states states, Mazur $mazur_states"
        # shellcheck disable=SC2086
        mazur_best 4 "$file" $options --jobs 2
        sooner=$(ratio "$spin_time" "$all") gain=$(ratio "$one" "$mazur_search")
        share=$(ratio "$spin_bytes" "$(most "$bytes" "$mazur_bytes")")
        # what is over in a second is not large
        if awk -v n="$mazur_states" 'BEGIN { exit n >= 2000000 }'; then
            judge "$sooner" 1 "$share" 3
        else
            judge "$sooner" 1.5 "$gain" 1.7 "$share" 3
        fi
        printf '%-12s %9s | %6s %6s %6s %6s %6s | %6s %6s %6s %5.1f | %6s %6s %5.1f | %6s %5s %5s %s\n' \
            "$(basename "$file" .pml)" "$mazur_states" "$(per_second "$spin_states" "$spin_search")" \
            "$spin_time" "$spin_cpu" "$spin_bytes" "$spin_table" "$(per_second "$mazur_states" "$one")" \
            "$all" "$one_cpu" "$bytes" "$(per_second "$mazur_states" "$mazur_search")" "$mazur_cpu" \
            "$mazur_bytes" "$sooner" "$gain" "$share" "$bar"
    done
}

# Claims and cycles that hold, so that all is searched: one worker, as with Spin.
live_case() { # MODEL N PROPERTY FLAGS PAN_OPTIONS MAZUR_OPTIONS
    local file=live.pml sooner share
    cp "$models/$1.pml" $file
    case $3 in
    progress) sed -i 's/^ *eaten = /progress: &/' $file ;;
    *) echo "ltl f { $3 }" >>$file ;;
    esac
    spin_run $file "-DN=$2" "$4" "-w24 $5"
    # shellcheck disable=SC2086
    mazur_best 2 $file -D N="$2" $6
    sooner=$(ratio "$spin_time" "$mazur_time") share=$(ratio "$spin_bytes" "$mazur_bytes")
    judge "$sooner" 1.5 "$share" 3
    printf '%-12s %2s %-22s %-6s | %9s %7s %7s %6s %6s | %9s %7s %7s %6.1f | %6s %5s %s\n' "$1" "$2" "$3" \
        "$5" "$spin_states" "$spin_time" "$spin_cpu" "$spin_bytes" "$spin_table" "$mazur_states" \
        "$mazur_time" "$mazur_cpu" "$mazur_bytes" "$sooner" "$share" "$bar"
}

liveness() {
    echo
    echo "Claims and cycles, nothing is found, defaults. Seconds of everything, by the clock and of the"
    echo "processor; bytes per state as above (Mazur: with its stack). sooner, third: as above."
    printf '%-12s %2s %-22s %-6s | %9s %7s %7s %6s %6s | %9s %7s %7s %6s | %6s %5s\n' model N property \
        pan 'S. states' all cpu bytes table 'M. states' all cpu bytes sooner third
    live_case counters 5 '[] <> (token == 0)' '' -a '--ltl f'
    live_case philosophers 11 '[] <> (eaten == 0)' '' -a '--ltl f'
    live_case pipeline 7 '[] <> (sink:expected == 0)' '' -a '--ltl f'
    live_case election 10 '<> (leaders == 1)' '' -a '--ltl f'
    live_case philosophers 11 progress -DNP -l --progress
    live_case philosophers 10 '[] <> (fork[3] == 1)' -DNFAIR=4 '-a -f' '--ltl f --fair'
    live_case philosophers 10 progress '-DNP -DNFAIR=4' '-l -f' '--progress --fair'
}

# The definition needs each step of a state once, as far as the bound allows it: never more than
# the transitions of the states reached, which the last bound has all of.
bounds() { # MODEL…
    local file bound line all
    echo
    echo "Bounds (paper 001, Table 1): states within the bound; transitions; seconds. Spin: -DBCS -L"
    for file; do
        [ "$(basename "$file")" = worst.pml ] &&
            echo 'int count; active [10] proctype p() { count++; count-- }' >"$file"
        [ -e "$file" ] || continue
        mazur "$file" --no-claim --keep-going --optimize off --por off
        all=$mazur_transitions
        echo "$(basename "$file" .pml): $mazur_states states, $all transitions without a bound"
        printf '%6s %12s %12s %8s | %12s %12s %8s | %12s %12s\n' bound Mazur transitions s Spin \
            transitions s 'M. reduced' transitions
        $with_spin && spin_build "$file" '-o1 -o2 -o3' \
            '-DSAFETY -DNOREDUCE -DNOCLAIM -DBCS -DCONSERVATIVE=2'
        for bound in 0 1 2 4 8 16; do
            mazur "$file" --no-claim --keep-going --bound $bound --optimize off
            judge "$(ratio $((2 * all)) "$mazur_transitions")" 1
            line=$(printf '%6s %12s %12s %8s' $bound "$mazur_states" "$mazur_transitions" "$(printf %.2f "$mazur_search")")
            if $with_spin; then
                local from
                from=$(now)
                spin_search "-c0 -w22 -L$bound"
                spin_search=$(since "$from")
                spin_figures
                line+=$(printf ' | %12s %12s %8s' "${spin_states:--}" "${spin_transitions:--}" "$spin_search")
            fi
            mazur "$file" --no-claim --keep-going --bound $bound --optimize off --por on
            printf '%s | %12s %12s %s\n' "$line" "$mazur_states" "$mazur_transitions" "$bar"
        done
    done
}

counter_examples() {
    local name file deep short steps
    echo
    echo "Counter-examples (Table 4): steps and preemptions of the first failure shown"
    printf '%-14s %12s %14s %14s %12s\n' model 'Spin dfs' 'Spin -i' 'Mazur steps' preemptions
    for name in snoopy hajek LTL/zune; do
        file=$examples/$name.pml
        [ -e "$file" ] || continue
        spin_run "$file" '' '-DSAFETY -DNOCLAIM' ''
        deep=$(sed -n 's/.*(at depth \([0-9]*\)).*/\1/p' pan.out | head -1)
        spin_run "$file" '' '-DSAFETY -DNOCLAIM -DREACH' '-i'
        short=$(sed -n 's/.*reducing search depth to \([0-9]*\).*/\1/p' pan.out | tail -1)
        mazur "$file" --no-claim --shorten
        steps=$(sed -n 's/^ *\([0-9]*\) steps .*/\1/p' out | head -1)
        printf '%-14s %12s %14s %14s %12s\n' "$name" "${deep:--}" "${short:--}" "${steps:--}" \
            "${mazur_preemptions:--}"
    done
}

[ "${1:-}" = --live ] && liveness && exit $((missed > 0))
verdicts
small=("$examples/snoopy.pml" "$PWD/worst.pml" "$examples/LTL/pftp.pml")
case ${1:-} in
--quick) ;;
--brief)
    bounds "${small[@]}"
    counter_examples
    ;;
*)
    large
    liveness
    if [ "${1:-}" != --bars ]; then
        bounds "${small[@]}" "$examples/dtp.pml" "$examples/cambridge.pml"
        counter_examples
    fi
    ;;
esac
echo
echo "bars: $passed cleared, $missed missed"
[ "${1:-}" != --bars ] || [ $missed = 0 ]
