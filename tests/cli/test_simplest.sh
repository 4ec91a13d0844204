# The simplest form of a failure, and the point from which on every continuation fails.
deque=$root/examples/deque.c
get() { python3 -c "import json,sys; r=json.load(open('$1')); print(eval(sys.argv[1],{'r':r,'f':r['failures'][0]}))" "$2"; }

t "a random failure becomes the simplest one, with a proof"
expect 1 "$MAZUR" check "$deque" --strategy=random --no-trace --json r.json
says out "1 preemption; no execution with fewer fails in this way" "simplified to 1 preemption, 3 switches, 23 events" \
    "◆ from here on every continuation fails"
[ "$(get r.json "f['preemptions'], f['simplest']['preemptions'], f['simplest']['compared_all'], f['simplest']['cut']")" = "(1, 1, True, False)" ] ||
    fault "not what was proven: $(get r.json "f['simplest']")"
[ "$(get r.json "f['simplest']['found']['preemptions'] > 1, f['inflection']['earliest'], f['trace'][f['inflection']['event']]['object']")" = "(True, True, 'bottom')" ] ||
    fault "inflection: $(get r.json "f['inflection']")"

t "the search's own counts and claim are untouched"
expect 1 "$MAZUR" check "$deque" --strategy=random --no-trace --simplify=0 --json plain.json
says out "preemptions"
lacks out "simplified" "◆" "no execution with fewer"
for key in executions steps distinct bound_done complete; do
    [ "$(get r.json "r['$key']")" = "$(get plain.json "r['$key']")" ] || fault "$key differs"
done
[ "$(get plain.json "f['simplest'], f['inflection']")" = "(None, None)" ] || fault "something is claimed"

t "a budget that ends is said, and claims nothing"
expect 1 "$MAZUR" check "$deque" --strategy=random --no-trace --simplify=20 --json cut.json
says out "there may be a simpler one: --simplify's budget ended first"
[ "$(get cut.json "f['simplest']['compared_all'], f['simplest']['cut']")" = "(False, True)" ] || fault "claims too much"

t "the same search gives the same simplest failure"
expect 1 "$MAZUR" check "$deque" --strategy=random --no-trace --json again.json
[ "$(get r.json "f['trace']")" = "$(get again.json "f['trace']")" ] || fault "another execution"

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
[ "$(get two.json "sorted((x['message'].split('\"')[1][:4], x['preemptions'], x['simplest']['none_with_preemptions']) for x in r['failures'])")" = \
    "[('easy', 2, 1), ('hard', 4, 3)]" ] || fault "$(get two.json "[(x['message'], x['simplest']) for x in r['failures']]")"

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
says out "◆ from here on" "no execution with fewer fails in this way"
expect 0 "$MAZUR" show "$trace"
says out "◆ from here on" "simplified to 1 preemption"
expect 0 "$MAZUR" show --full "$trace"
says out "◆ from here on"
