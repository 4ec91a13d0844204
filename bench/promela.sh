#!/bin/bash
# Mazur and Spin side by side on models: time to the verdict (translation and compilation
# included), rate and memory of the search, two workers, bounds as in paper 001's Table 1,
# counter-examples as in its Table 4.
#
# Spin is the Debian package `spin`, with its Examples; without it the Mazur columns are printed
# alone. On a busy machine only the ratios within a line mean something.
# Usage: bench/promela.sh [--quick]     quick: Spin's examples only
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

now() { date +%s%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", (b - a) / 1e9 }'; }
field() { sed -n "s/^  \"$1\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p" json; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a + 0 > 0 && b + 0 > 0) printf "%.1f", a / b; else printf "-" }'; }

TIMEFORMAT='%U %S'
cpu() { awk '{ printf "%.2f", $1 + $2 }' cpu; } # of the command that wrote to it

per_second() { awk -v n="$1" -v s="$2" 'BEGIN { if (n + 0 > 0 && s + 0 > 0) printf "%.0f", n / s / 1000; else printf "-" }'; }

mazur() { # MODEL OPTIONS...: mazur_time, mazur_states, …
    local from
    from=$(now)
    rm -f json
    { time timeout 900 "$MAZUR" model "$@" --time 0 --quiet --json json >out 2>err; } 2>cpu
    mazur_time=$(since "$from") mazur_cpu=$(cpu)
    mazur_states=$(field states) mazur_bytes=$(field bytes_per_state)
    mazur_search=$(field seconds) mazur_transitions=$(field transitions)
    mazur_preemptions=$(field preemptions)
}

# Spin: FILE, options of spin, of the compiler, of pan. spin_time is all three together.
spin_run() {
    local from search
    spin_time=- spin_search=- spin_states=- spin_bytes=- spin_transitions=- spin_cpu=-
    $with_spin || return
    from=$(now)
    # shellcheck disable=SC2086
    {
        time {
            spin -a $2 "$1" >/dev/null 2>&1
            cc -O2 -w -DMEMLIM=16000 -DVECTORSZ=4096 $3 -o pan pan.c 2>/dev/null
            search=$(now)
            timeout 900 ./pan -m8000000 $4 >pan.out 2>/dev/null
        }
    } 2>cpu
    spin_time=$(since "$from") spin_search=$(since "$search") spin_cpu=$(cpu)
    spin_states=$(awk '/states, stored/ {print $1; exit}' pan.out)
    spin_transitions=$(awk '/transitions \(/ {print $1; exit}' pan.out)
    # what its states take, without the hash table and the stack; Mazur's figure is all it uses
    spin_bytes=$(awk -v n="$spin_states" '/actual memory usage for states/ {v = $1}
        END { if (n > 0) printf "%.1f", v * 1048576 / n }' pan.out)
}

echo
echo "Time to the verdict, defaults (reduction on), claims off, first error ends; seconds"
printf '%-20s %10s %10s %8s\n' model Spin Mazur ratio
for name in abp cambridge dtp eratosthenes hajek leader0 manna_pnueli peterson snoopy sort \
    LTL/bakery LTL/mobile1 LTL/pftp LTL/train; do
    [ -e "$examples/$name.pml" ] || continue
    spin_run "$examples/$name.pml" '' '-DSAFETY -DNOCLAIM' ''
    mazur "$examples/$name.pml" --no-claim
    printf '%-20s %10s %10s %8s\n' "$name" "$spin_time" "$mazur_time" \
        "$(ratio "$spin_time" "$mazur_time")"
done
[ "${1:-}" = --quick ] && exit

echo
echo "All states, plain semantics, no reduction. k/s: thousand states per second of search; all, cpu:"
echo "seconds of everything, by the clock and of the processor; two workers: k/s, gain, cpu"
printf '%-13s %9s | %7s %6s %6s %5s | %7s %6s %6s %5s | %7s %5s %6s\n' model states 'Spin k/s' all \
    cpu bytes 'Mazur' all cpu bytes 'two k/s' gain cpu
for file in $examples/cambridge.pml $examples/sort.pml "$models"/*.pml; do
    [ -e "$file" ] || continue
    spin_run "$file" '-o1 -o2 -o3' '-DSAFETY -DNOREDUCE -DNOCLAIM' '-c0 -w24'
    mazur "$file" --no-claim --keep-going --optimize off --por off
    one=$mazur_search bytes=$mazur_bytes all=$mazur_time one_cpu=$mazur_cpu
    [ "$with_spin" = false ] || [ "$spin_states" = "$mazur_states" ] ||
        echo "$file: Spin has $spin_states states, Mazur $mazur_states"
    mazur "$file" --no-claim --keep-going --optimize off --por off --jobs 2
    printf '%-13s %9s | %7s %6s %6s %5s | %7s %6s %6s %5.1f | %7s %5s %6s\n' \
        "$(basename "$file" .pml)" "$mazur_states" "$(per_second "$spin_states" "$spin_search")" \
        "$spin_time" "$spin_cpu" "$spin_bytes" "$(per_second "$mazur_states" "$one")" "$all" \
        "$one_cpu" "$bytes" "$(per_second "$mazur_states" "$mazur_search")" \
        "$(ratio "$one" "$mazur_search")" "$mazur_cpu"
done

echo
echo "Bounds (paper 001, Table 1): states within the bound; transitions; seconds. Spin: -DBCS -L"
for file in $examples/snoopy.pml "$PWD"/worst.pml $examples/LTL/pftp.pml; do
    [ "$(basename "$file")" = worst.pml ] &&
        echo 'int count; active [10] proctype p() { count++; count-- }' >"$file"
    [ -e "$file" ] || continue
    echo "$(basename "$file" .pml)"
    printf '%6s %12s %12s %8s | %12s %12s %8s | %12s %12s\n' bound Mazur transitions s Spin \
        transitions s 'M. reduced' transitions
    for bound in 0 1 2 4 8 16; do
        mazur "$file" --no-claim --keep-going --bound $bound --optimize off
        line=$(printf '%6s %12s %12s %8s' $bound "$mazur_states" "$mazur_transitions" "$(printf %.2f "$mazur_search")")
        spin_run "$file" '-o1 -o2 -o3' '-DSAFETY -DNOREDUCE -DNOCLAIM -DBCS -DCONSERVATIVE=2' "-c0 -w22 -L$bound"
        line+=$(printf ' | %12s %12s %8s' "$spin_states" "$spin_transitions" "$spin_search")
        mazur "$file" --no-claim --keep-going --bound $bound --optimize off --por on
        printf '%s | %12s %12s\n' "$line" "$mazur_states" "$mazur_transitions"
    done
done

echo
echo "Counter-examples (Table 4): steps and preemptions of the first failure shown"
printf '%-14s %12s %14s %14s %12s\n' model 'Spin dfs' 'Spin -i (bfs)' 'Mazur steps' preemptions
for name in snoopy hajek LTL/zune; do
    file=$examples/$name.pml
    [ -e "$file" ] || continue
    spin_run "$file" '' '-DSAFETY -DNOCLAIM' ''
    deep=$(sed -n 's/.*(at depth \([0-9]*\)).*/\1/p' pan.out | head -1)
    spin_run "$file" '' '-DSAFETY -DNOCLAIM -DREACH' '-i'
    short=$(sed -n 's/.*(at depth \([0-9]*\)).*/\1/p' pan.out | tail -1)
    mazur "$file" --no-claim --shorten
    steps=$(grep -c '"statement"' json)
    printf '%-14s %12s %14s %14s %12s\n' "$name" "${deep:--}" "${short:--}" "$steps" \
        "${mazur_preemptions:--}"
done
