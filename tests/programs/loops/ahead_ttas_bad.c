/* EXPECT verdict=data-race exit=7 bound=1
 * The bug: the lock is taken by a store, which does not notice that another thread was faster.
 */
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
    } while ((atomic_store(&taken, 1), false));
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
