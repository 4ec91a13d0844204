#!/bin/bash
# Loops: what Mazur reports about those that are cut, hang or sleep.
. "$(dirname "$0")/lib.sh"
t "a loop that is cut is named"
cat >counts.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static atomic_long rounds;
static void *setter(void *unused) { atomic_store(&ready, 1); return unused; }
static void wait_for_it(void)
{
    while (!atomic_load(&ready))
        atomic_fetch_add(&rounds, 1); /* line 9 */
}
int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, setter, NULL);
    wait_for_it();
    pthread_join(id, NULL);
}
C
expect 0 "$MAZUR" check counts.c --depth 200 --json r.json
says out "step limit" "--depth" "200 operations, in a loop of wait_for_it, counts.c:"
says r.json '"cut-loop"'

t "a step limit that is asked for is exact, the default grows"
cat >long.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_long count;
static void *nobody(void *unused) { return unused; }
int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, nobody, NULL);
    for (int i = 0; i < 25000; i++)
        atomic_fetch_add(&count, 1);
    pthread_join(id, NULL);
}
C
expect 0 "$MAZUR" check long.c
says out "complete"
expect 0 "$MAZUR" check long.c --depth 20000
lacks out "complete:" "livelock"
says out "20000 operations, in a loop of main, long.c:"

t "a thread that sleeps where Mazur does not control it: the call is named"
cat >sleeps.c <<'C'
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *sleeper(void *unused) { syscall(SYS_pause); return unused; }
int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, sleeper, NULL);
    pthread_join(id, NULL);
}
C
expect 4 "$MAZUR" check sleeps.c --no-trace
says out "sleeps in pause"

t "nondeterminism says what differed"
expect 5 "$MAZUR" check "$root/tests/programs/claims/nondeterminism_bad.c" --strategy icb --no-trace
says out "expected" "got" "operation"

end_of_file
