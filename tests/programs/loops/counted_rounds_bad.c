/* EXPECT verdict=assertion exit=1 bound=3 location=HERE -- --strategy auto --scout off
 * EXPECT verdict=assertion exit=1 bound=3 location=HERE -- --strategy bpor
 * EXPECT verdict=assertion exit=1 bound=3 location=HERE -- --strategy auto --scout off -DROUNDS=3
 *
 * A loop that looks 5,000 times and then blocks. It fails if it sees two of the values that go by,
 * which takes three preemptions, with few rounds as with many. Each number of rounds before a
 * change is another execution: a search that tried them all would not finish bound 1. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#ifndef ROUNDS
#define ROUNDS 5000
#endif
#ifndef MAY_SEE_BOTH
#define MAY_SEE_BOTH 0
#endif

static atomic_int ready, value;
static sem_t done;

static void *look(void *unused)
{
    int seen = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (atomic_load(&ready) && (seen |= atomic_load(&value)) == 3)
            break;
    }
    assert(seen != 3 || MAY_SEE_BOTH); /* HERE */
    sem_wait(&done);
    return unused;
}

static void *change(void *unused)
{
    atomic_store(&ready, 1);
    atomic_store(&value, 1);
    atomic_store(&value, 2);
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
