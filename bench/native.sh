#!/bin/bash
# The speed of the native engine: executions per second and nanoseconds per visible operation,
# under snapshot and fork isolation, all in one run (this machine's absolute figures are noisy,
# ratios within a run are not). Usage: bench/native.sh [SECONDS per row]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-3}
mazur=bin/mazur
jsonget=build/jsonget
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cc -O2 -o "$scratch/swapcontext" bench/swapcontext.c
trip=$("$scratch/swapcontext")
echo "swapcontext round trip on this machine: $trip ns"
echo
printf '%-44s %10s %12s %10s %9s\n' program isolation executions/s 'ns per op' 'ops/exec'

# row LABEL ISOLATION FLAGS...: prints a row, leaves executions/s in $rate and ns in $cost
row() {
    local label=$1 isolation=$2
    shift 2
    "$mazur" check bench/increments.c "$@" --strategy dfs --bound none --isolate "$isolation" \
        --time "${seconds}s" --no-trace --quiet --json "$scratch/result.json" >/dev/null
    local executions steps time
    executions=$("$jsonget" "$scratch/result.json" executions)
    steps=$("$jsonget" "$scratch/result.json" steps)
    time=$("$jsonget" "$scratch/result.json" seconds)
    rate=$(awk "BEGIN { print $executions / $time }")
    cost=$(awk "BEGIN { print $time / $steps * 1e9 }")
    printf '%-44s %10s %12.0f %10.0f %9.1f\n' "$label" "$isolation" "$rate" "$cost" \
        "$(awk "BEGIN { print $steps / $executions }")"
}

row '3 threads x 3 atomic increments' snapshot
small=$rate small_cost=$cost
row '3 threads x 3 atomic increments' fork
small_fork=$rate
row '... and 100 private operations per thread' snapshot -DPRIVATE=100
hundred=$cost
row '... and 100 private operations per thread' fork -DPRIVATE=100
row '... and 1000 private operations per thread' snapshot -DPRIVATE=1000
thousand=$cost
row '... and 1000 private operations per thread' fork -DPRIVATE=1000
row '3 threads x 3 increments under a mutex' snapshot -DMUTEX
row '3 threads x 3 increments under a mutex' fork -DMUTEX
echo
awk "BEGIN {
    printf \"snapshot / fork on the small program: %.0f x (bar: 100)\n\", $small / $small_fork
    printf \"ns per operation at 1000 private operations / at 100: %.2f (linear: 1)\n\", $thousand / $hundred
    printf \"ns per visible operation, small program: %.0f (bar: 250 where swapcontext takes at most 1000)\n\", $small_cost
}"
