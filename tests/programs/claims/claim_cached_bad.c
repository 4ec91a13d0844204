/* EXPECT verdict=data-race exit=7 bound=1 says=data
 * EXPECT verdict=nothing-found exit=0 complete=false -- --strategy icb --bound 1 --cache-states
 * The race shows on one of two ways to the same state: a search that turns back at known states misses it,
 * and must not claim the bound. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int steps, flag;
int data;
static sem_t done;

static void *writer(void *unused)
{
    data = 1;
    atomic_fetch_add(&steps, 1);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    sem_wait(&done);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, writer, NULL);
    atomic_fetch_add(&steps, 1);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        data = 1;
    sem_post(&done);
    pthread_join(thread, NULL);
    return data - 1;
}
