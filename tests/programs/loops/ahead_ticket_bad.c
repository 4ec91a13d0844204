/* EXPECT verdict=livelock exit=3 bound=1
 * The bug: the ticket is taken in two steps, so two threads can have the same one,
 * and the second comes too late for its turn. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREADS 2

static atomic_int next, now;
static int shared;

static void *worker(void *unused)
{
    int mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
    while (atomic_load(&now) != mine) {
    }
    shared++;
    atomic_fetch_add(&now, 1);
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(shared == THREADS);
    return 0;
}
