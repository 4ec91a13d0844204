/* EXPECT verdict=deadlock exit=2 bound=0 complete=false -- -DLOSES=1
 * EXPECT verdict=assertion exit=1 bound=0 location=HERE -- -DGIVES_UP=1
 *
 * Semaphores that spin 10,000 times before they block (Preshing's, and that of moodycamel's
 * BlockingConcurrentQueue), with a post that forgets the last waiter: the loop must be left by
 * its end, too. Or one that is not expected to get to its end. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#ifndef LOSES
#define LOSES 0
#endif
#ifndef GIVES_UP
#define GIVES_UP 0
#endif

static atomic_int count;
static sem_t blocked;

static void take(void)
{
    int seen;
    for (int spin = 10000; spin > 0; spin--) {
        seen = atomic_load_explicit(&count, memory_order_relaxed);
        if (seen > 0 && atomic_compare_exchange_strong(&count, &seen, seen - 1))
            return;
    }
    assert(!GIVES_UP); /* HERE */
    if (atomic_fetch_sub(&count, 1) <= 0)
        sem_wait(&blocked);
}

static void give(void)
{
    if (atomic_fetch_add(&count, 1) < -LOSES)
        sem_post(&blocked);
}

static void *taker(void *unused)
{
    take();
    return unused;
}

static void *giver(void *unused)
{
    give();
    return unused;
}

int main(void)
{
    pthread_t thread[4];
    sem_init(&blocked, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, i < 2 ? taker : giver, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&count) == 0);
    return 0;
}
