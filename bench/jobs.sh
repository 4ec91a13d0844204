#!/bin/bash
# What two jobs bring on this machine: for programs whose executions are small and not so small, and for liveness of models with more
# than two million states. Searches with one job and with two take turns; printed are the medians of the seconds by the clock,
# and the median of the ratios of neighbours. Needs as many idle cores as jobs.
#
# Usage: bench/jobs.sh [program|model...]      all without a word
# environment: RUNS (5), JOBS (2), MAZUR
. "$(dirname "$0")/common.sh"
runs=${RUNS:-5} jobs=${JOBS:-2}

median() { # NUMBER...
    printf '%s\n' "$@" | sort -g | sed -n "$((($# + 1) / 2))p"
}

# seconds COMMAND...: by the clock
seconds() {
    local TIMEFORMAT=%R
    { time "$@" >"$scratch/out" 2>&1; } 2>&1
}

# compare LABEL LEAST COMMAND ARGUMENTS...: of mazur; `figures` says what is printed beside it, `counts` what must agree
compare() {
    local label=$1 least=$2 one several run verdict
    local -a ones=() others=() ratios=()
    shift 2
    for ((run = 0; run < runs; run++)); do
        one=$(seconds "$mazur" "$1" --jobs 1 --json "$scratch/one.json" "${@:2}")
        several=$(seconds "$mazur" "$1" --jobs "$jobs" --json "$scratch/several.json" "${@:2}")
        ones+=("$one") others+=("$several")
        ratios+=("$(awk -v a="$one" -v b="$several" 'BEGIN { printf "%.2f", a / b }')")
    done
    one=$(median "${ones[@]}") several=$(median "${others[@]}") run=$(median "${ratios[@]}")
    verdict=$(awk -v got="$run" -v least="$least" 'BEGIN { print (got + 0 >= least + 0) ? "" : "below " least }')
    printf '%-52s %11s %8s %8s %8s  %s %s\n' "$label" "$(figures "$scratch/one.json" "$one")" "$one" "$several" "$run" \
        "$verdict" "$([ "$(counts "$scratch/one.json")" = "$(counts "$scratch/several.json")" ] || echo WRONG)"
}

programs() {
    title "Programs: --jobs 1 and $jobs (µs: per execution, one job)"
    printf '%-52s %11s %8s %8s %8s\n' program µs one several ratio
    figures() { awk -v n="$("$jsonget" "$1" executions)" -v s="$2" 'BEGIN { printf "%.1f", s * 1e6 / n }'; }
    counts() { "$jsonget" "$1" verdict distinct | paste -sd' '; }
    local -a search=(run --strategy cbpor --time 0 --quiet --no-trace)
    "$mazur" cc bench/programs/traces.c -DVARIABLES=1 -DN=9 -o "$scratch/add9"
    "$mazur" cc bench/programs/traces.c -DSWAP -DN=6 -o "$scratch/swap6"
    "$mazur" cc bench/increments.c -DTHREADS=3 -DROUNDS=4 -DPRIVATE=100 -o "$scratch/private100"
    "$mazur" cc bench/increments.c -DTHREADS=3 -DROUNDS=4 -DPRIVATE=20 -o "$scratch/private20"
    compare '9 x fetch_add' 1.6 "${search[@]}" "$scratch/add9"
    compare '6 x CAS, then store, 3 preemptions' 1.6 "${search[@]}" --bound 3 "$scratch/swap6"
    compare '3 x 4 increments, 20 private operations between' 1.8 "${search[@]}" "$scratch/private20"
    compare '3 x 4 increments, 100 private operations between' 1.8 "${search[@]}" "$scratch/private100"
}

live() { # MODEL N PROPERTY OPTIONS...
    local model=$1 n=$2 property=$3
    shift 3
    cp "bench/models/$model.pml" "$scratch/$model.pml"
    echo "ltl f { $property }" >>"$scratch/$model.pml"
    compare "$model $n, $property $*" 1.7 model "$scratch/$model.pml" -D N="$n" --ltl f --time 0 --quiet --no-trace \
        --memory 6G "$@"
}

models() {
    title "Liveness of models that hold: --jobs 1 and $jobs"
    printf '%-52s %11s %8s %8s %8s\n' model states one several ratio
    figures() { "$jsonget" "$1" states; }
    counts() { "$jsonget" "$1" verdict; }
    live counters 5 '[] <> (token == 0)' --por off
    live philosophers 11 '[] <> (eaten == 0)' --por off
    live pipeline 7 '[] <> (sink:expected == 0)' --por off
    live philosophers 10 '[] <> (fork[3] == 1)' --fair
}

for part in "${@:-program model}"; do
    case $part in
    *program*) programs ;;&
    *model*) models ;;
    esac
done
