/* EXPECT verdict=assertion exit=1 bound=2 location=HERE -- --strategy auto --scout off
 * EXPECT verdict=assertion exit=1 bound=2 location=HERE -- --strategy bpor
 * EXPECT verdict=assertion exit=1 bound=2 location=HERE -- --strategy auto --scout off -DROUNDS=4
 *
 * A loop that looks 5,000 times and then blocks. It fails if it sees all three values that go by,
 * which takes two preemptions, with few rounds as with many. Each number of rounds before a
 * change is another execution: a search that tried them all would not finish bound 1. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#ifndef ROUNDS
#define ROUNDS 5000
#endif
#ifndef MAY_SEE_ALL
#define MAY_SEE_ALL 0
#endif

static atomic_int ready, value;
static sem_t done;

static void *look(void *unused)
{
    int seen = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (atomic_load(&ready) && (seen |= atomic_load(&value)) == 7)
            break;
    }
    assert(seen != 7 || MAY_SEE_ALL); /* HERE */
    sem_wait(&done);
    return unused;
}

static void *change(void *unused)
{
    atomic_store(&ready, 1);
    for (int i = 1; i <= 4; i *= 2) {
        atomic_store(&value, i);
        sched_yield();
    }
    atomic_store(&value, 0);
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t looker, changer;
    sem_init(&done, 0, 0);
    pthread_create(&looker, NULL, look, NULL);
    pthread_create(&changer, NULL, change, NULL);
    pthread_join(looker, NULL);
    pthread_join(changer, NULL);
    return 0;
}
