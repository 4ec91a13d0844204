/* EXPECT verdict=passed exit=0 complete=true distinct=24 -- --strategy optimal
 * EXPECT verdict=passed exit=0 complete=true distinct=24 -- --strategy cbpor
 * EXPECT verdict=passed exit=0 complete=true distinct=24 -- --strategy optimal --isolate fork
 * A ticket lock: the rounds in which a thread waits for its turn are no events, so there is one
 * trace for each order of the tickets. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREADS 4

static atomic_int next, now;
static int shared;

static void *worker(void *unused)
{
    int mine = atomic_fetch_add(&next, 1);
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
