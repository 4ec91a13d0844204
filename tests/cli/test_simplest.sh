#!/bin/bash
# The simplest form of a failure, and the point after which every continuation fails.
. "$(dirname "$0")/lib.sh"
deque=$root/examples/deque.c
# first FILE PATH...: of the first failure
first() {
    local file=$1
    shift
    field "$file" "${@/#/failures.0.}"
}

t "a random failure becomes the simplest one, with a proof"
COLUMNS=160 expect 1 "$MAZUR" check "$deque" --strategy=random --verbose --no-trace --json r.json
says out "1 preemption; no execution with fewer preemptions fails in this way" "simplified to 1 preemption, 3 switches, 23 events" \
    "◆ from here on every continuation fails"
[ "$(first r.json preemptions simplest.preemptions simplest.compared_all simplest.cut)" = "1 1 true false" ] ||
    fault "not what was proven: $(first r.json simplest)"
[ "$(first r.json simplest.found.preemptions)" -gt 1 ] || fault "found: $(first r.json simplest.found)"
[ "$(first r.json inflection.earliest "trace.$(first r.json inflection.event).object")" = "true bottom" ] ||
    fault "inflection: $(first r.json inflection)"

t "the search's own counts and claim are untouched"
expect 1 "$MAZUR" check "$deque" --strategy=random --no-trace --simplify=0 --json plain.json
says out "preemptions"
lacks out "simplified" "◆" "no execution with fewer"
for key in executions steps distinct bound_done complete; do
    [ "$(field r.json $key)" = "$(field plain.json $key)" ] || fault "$key differs"
done
[ -n "$(field r.json executions)" ] || fault "no counts"
[ "$(first plain.json simplest inflection)" = " " ] || fault "something is claimed"

t "a budget that ends is said, and claims nothing"
expect 1 "$MAZUR" check "$deque" --strategy=random --verbose --no-trace --simplify=20 --json cut.json
says out "there may be a simpler one: the budget of --simplify ran out"
[ "$(first cut.json simplest.compared_all simplest.cut)" = "false true" ] || fault "claims too much"

t "the same search gives the same simplest failure"
expect 1 "$MAZUR" check "$deque" --strategy=random --no-trace --json again.json
[ "$(first r.json trace)" = "$(first again.json trace)" ] || fault "another execution"

t "it stays the failure that was found"
cat >two.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int step, other;
static void *work(void *unused)
{
    step = 1;
    step = 2;
    other = 1;
    other = 2;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int first = step, second = other;
    assert(!(first == 1 && second == 1) && "hard: four preemptions");
    assert(first != 1 && "easy: two preemptions");
    pthread_join(t, 0);
}
C
expect 1 "$MAZUR" check two.c --strategy=random --keep-going --time=0 --execs=400 --no-trace --json two.json
for i in 0 1; do
    field two.json failures.$i.message failures.$i.preemptions failures.$i.simplest.none_with_preemptions
done | sed 's/.*"\(easy\|hard\)[^"]*"[^0-9]*/\1 /' | sort >both
[ "$(field two.json failures.#)" = 2 ] && [ "$(paste -sd, both)" = "easy 2 1,hard 4 3" ] || fault "$(cat both)"

t "what always fails says so"
cat >always.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused) { return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    abort();
}
C
expect 1 "$MAZUR" check always.c --no-trace
says out "every execution fails, whatever the schedule"

t "replay and show have it from the trace file"
expect 1 "$MAZUR" check "$deque" --strategy=random
trace=$(echo ./*.mzt)
expect 1 "$MAZUR" replay "$trace"
says out "◆ from here on" "no execution with fewer preemptions fails in this way"
expect 0 "$MAZUR" show --verbose "$trace"
says out "◆ from here on" "simplified to 1 preemption"
expect 0 "$MAZUR" show "$trace"
lacks out "simplified to"
expect 0 "$MAZUR" show --full "$trace"
says out "◆ from here on"

end_of_file
