/* EXPECT verdict=passed exit=0 complete=true executions=17 distinct=1
 * Spins with sched_yield: every switch in the loop is free, and the search still ends, because
 * a round that changes nothing is idle. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void *spinner(void *unused)
{
    while (!atomic_load(&flag))
        sched_yield();
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, spinner, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
