#!/bin/bash
# Linearizability: the table, the serial orders, JSON, trace files, the page, wrong use.
. "$(dirname "$0")/lib.sh"
cp "$root"/tests/programs/api/linear_*.c .
include=-I$root/include

t "a history that no serial execution explains"
expect 9 "$MAZUR" check linear_counter_bad.c "$include" --json r.json --html p.html
says out "not linearizable" "The history, time downwards" "get() = 0" "add(1) = ok" \
    "2 of 2 serial histories make these calls" "add(1) get(): there get() = 10, here 0" \
    "get() add(1): there get() = 9, here 0" "histories compared with 2 serial ones" \
    "begin get()" "end get() = 0"
says r.json '"verdict": "not-linearizable"' '"history"' '"serial_result": "10"' '"differs"'
says p.html "not-linearizable" "serial_result"

t "its trace file: shown, replayed, damaged"
expect 0 "$MAZUR" show ./*.mzt
says out "The history, time downwards" "get() add(1): there get() = 9, here 0"
expect 9 "$MAZUR" replay ./*.mzt
says out "add(1) get(): there get() = 10, here 0"
sed -i 's/"differs": 1/"differs": 999/' ./*.mzt
expect 64 "$MAZUR" show ./*.mzt
says err "history"
rm -f ./*.mzt

t "an operation that waits for ever"
expect 9 "$MAZUR" check linear_blocking_bad.c "$include"
says out "pop() waits for ever, and in no serial execution does it" "pop() … waits for ever"
expect 9 "$MAZUR" replay ./*.mzt
expect 0 "$MAZUR" check linear_blocking_good.c "$include" --bound 1
lacks out "deadlock"
rm -f ./*.mzt

t "every way to isolate and to go on"
expect 9 "$MAZUR" check linear_counter_bad.c "$include" --isolate=fork
expect 9 "$MAZUR" check linear_counter_bad.c "$include" --keep-going
expect 9 "$MAZUR" check linear_counter_bad.c "$include" --strategy icb --cache-states
expect 9 "$MAZUR" check linear_counter_bad.c "$include" --strategy sdpor
# the search starts over for the histories: what the first one kept must not leak into it
expect 9 "$MAZUR" check "$root/tests/programs/api/linear_stack_bad.cpp" -std=c++20 "$include" --strategy sdpor
rm -f ./*.mzt

cat >use.c <<'C'
#include <mazur.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused)
{
    mazur_history_begin("work");
#ifdef NESTED
    mazur_history_begin("more");
#endif
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
#ifdef OTHER
    mazur_history_end("play", 0, 0);
#elif !defined LEFT
    mazur_history_end("");
#endif
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
C

t "wrong use is refused, by name"
expect 0 "$MAZUR" check use.c "$include"
expect 6 "$MAZUR" check use.c "$include" -DNESTED
says out "inside an operation that has not ended"
expect 6 "$MAZUR" check use.c "$include" -DOTHER
says out "names another operation than mazur_history_begin"
expect 6 "$MAZUR" check use.c "$include" -DLEFT
says out "has not ended: join the threads first"

cat >long.c <<'C'
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
static void *worker(void *unused)
{
    mazur_history_begin("work");
    for (int i = 0; i < 200; i++)
        sum++;
    mazur_history_end("");
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
C

t "serial executions that are cut: no history is judged, and the search is given up"
for how in --strategy=auto --strategy=icb --strategy=optimal --isolate=fork --keep-going; do
    expect 6 "$MAZUR" check long.c "$include" --depth 100 "$how"
    says out "the serial histories are not known"
done

t "outside Mazur nothing happens"
$CC -o use use.c "$include" -pthread
expect 0 ./use

end_of_file
