/* EXPECT verdict=passed exit=0 executions=86 distinct=4 -- --bound 2
 * A barrier with a generation: the last thread sets the counter back and opens the next round;
 * the others wait for the round to change, which can't be undone under them. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived;
static atomic_int generation;

static void barrier(void)
{
    int round = atomic_load(&generation);
    if (atomic_fetch_add(&arrived, 1) == 1) {
        atomic_store(&arrived, 0);
        atomic_store(&generation, round + 1);
    } else {
        while (atomic_load(&generation) == round) {
        }
    }
}

static void *worker(void *unused)
{
    barrier();
    barrier();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
