/* EXPECT verdict=passed exit=0 complete=true distinct=36 -- --strategy optimal
 * EXPECT verdict=passed exit=0 complete=true distinct=36 -- --strategy cbpor
 * A lock that reads before it tries: neither the reads of 1 nor the exchanges that fail are
 * events. Which 0 a thread has seen before its exchange is part of the trace: 3!² of them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREADS 3

static atomic_int taken;
static int shared;

static void *worker(void *unused)
{
    do {
        while (atomic_load(&taken)) {
        }
    } while (atomic_exchange(&taken, 1));
    shared++;
    atomic_store(&taken, 0);
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
