/* EXPECT verdict=assertion exit=1 bound=2 location=HERE -- --strategy auto --scout off
 * EXPECT verdict=assertion exit=1 bound=2 location=HERE -- --strategy bpor
 *
 * A loop that looks 5,000 times and then blocks. It fails if it sees 1 at least twice, then 2, then 4: the
 * thread must be switched away from after two rounds alike, and must see each change after that. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#ifndef SECOND
#define SECOND 2
#define THIRD  4
#endif

static atomic_int ready, value;
static sem_t done;

static void *look(void *unused)
{
    int ones = 0, twos = 0, fours = 0;
    for (int i = 0; i < 5000 && fours == 0; i++) {
        int seen = atomic_load(&ready) ? atomic_load(&value) : 0;
        ones += seen == 1;
        twos += seen == 2 && ones >= 2;
        fours += seen == 4 && twos > 0;
    }
    assert(fours == 0); /* HERE */
    sem_wait(&done);
    return unused;
}

static void *change(void *unused)
{
    atomic_store(&ready, 1);
    atomic_store(&value, 1);
    sched_yield();
    atomic_store(&value, SECOND);
    sched_yield();
    atomic_store(&value, THIRD);
    sched_yield();
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
