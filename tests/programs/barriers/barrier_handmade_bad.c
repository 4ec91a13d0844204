/* EXPECT verdict=livelock exit=3 bound=0 executions=1 distinct=1
 * A barrier made of a counter that the last thread sets back to 0. The other one spins until it
 * is 0, but the last one can be in the next round by then and have made it 1: both spin for
 * ever. The spinning thread is as good as blocked, so no preemption is needed. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived;

static void barrier(void)
{
    if (atomic_fetch_add(&arrived, 1) == 1) {
        atomic_store(&arrived, 0);
    } else {
        while (atomic_load(&arrived) != 0) {
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
