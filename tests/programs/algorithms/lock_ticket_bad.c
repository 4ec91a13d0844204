/* EXPECT verdict=livelock exit=3 bound=1 executions=31 distinct=7
 * The ticket is drawn with a load and a store: preempted in between, two threads have the same
 * number. One of them is served, the other spins for ever: its number does not come again. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int shared;

static void *worker(void *unused)
{
    unsigned mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine) {
    }
    shared++;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return shared != 3;
}
