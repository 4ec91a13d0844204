#!/bin/bash
# What a search counts beside executions and traces: --count-states, K, B, c, transitions.
. "$(dirname "$0")/lib.sh"

cat >adds.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused)
{
    atomic_fetch_add(&x, 1);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x < LEAST);
    return 0;
}
C

counts() { # OPTION…: leaves r.json
    expect "$1" "$MAZUR" check adds.c "${@:2}" --no-trace --json r.json
}

t "every search that visits every state counts the same states"
for how in "dfs --bound none" icb cbpor-1; do
    # shellcheck disable=SC2086
    counts 0 -DLEAST=9 --strategy $how --count-states
    says out "States visited: 37"
    [ "$(field r.json states)" = 37 ] || fault "$how: $(field r.json states) states"
    [ "$(field r.json states_exact)" = true ] || fault "$how: not exact"
done
counts 0 -DLEAST=9 --strategy optimal --count-states
[ "$(field r.json states)" -lt 37 ] || fault "optimal visits all"

t "by bound, and against executions"
counts 0 -DLEAST=9 --strategy icb --count-states --verbose
says out "States visited: 37 (within bound 0: 26, 1: 37, " "States after executions: 1: "
last=$(grep -o '"states":[^,}]*' r.json | tail -1)
[ -n "$last" ] || fault "no states in the rows"

t "K, B and c; transitions"
counts 0 -DLEAST=9 --strategy dfs --bound none --verbose
says out "The longest execution has 12 steps (K); at most 2 operations that may block (B)" " transitions, the others replayed"
[ "$(field r.json most_steps)" = 12 ] && [ "$(field r.json most_blocking)" = 2 ] || fault "K or B"
[ "$(field r.json transitions)" -lt "$(field r.json steps)" ] || fault "nothing was replayed"
counts 0 -DLEAST=9 --strategy dfs --bound none
lacks out "(K)" "States visited"
lacks r.json '"states"'

t "sdpor turns back without more steps than dpor takes"
for how in dpor sdpor; do
    expect 0 "$MAZUR" check "$root/bench/programs/bounded_buffer.c" --strategy $how --bound none --no-trace --json $how.json
done
[ "$(field sdpor.json steps)" -le "$(field dpor.json steps)" ] || fault "$(field sdpor.json steps) steps for $(field dpor.json steps)"

t "the postconditions of the plain reduction, where asked for"
for how in "bpor-plain --bound 1" "bpor-plain --fair 0" dpor-plain; do
    # shellcheck disable=SC2086 # a strategy and its bound
    counts 0 -DLEAST=9 --strategy $how --postconditions --verbose
    says out "The postconditions of the reduction hold in "
    [ "$(field r.json postconditions)" -gt 20 ] || fault "$how: $(field r.json postconditions) states"
    # shellcheck disable=SC2086
    counts 0 -DLEAST=9 --strategy $how --verbose
    lacks out postconditions
    lacks r.json postconditions
done

t "a failure has them, too, and its trace keeps them"
expect 1 "$MAZUR" check adds.c -DLEAST=2 --strategy icb --count-states --json r.json
says out "States visited: "
expect 0 "$MAZUR" show ./*.mzt --format=json
says out '"states"' '"states_growth"' '"most_blocking"'

t "states are counted by one process"
counts 0 -DLEAST=9 --count-states --jobs 2
says out "counts the states of one process"
end_of_file
