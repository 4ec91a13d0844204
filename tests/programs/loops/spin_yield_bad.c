/* EXPECT verdict=livelock exit=3 bound=0 executions=1 distinct=1
 * Spins with sched_yield for a flag that is set only by a thread that found it set. */
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
    if (atomic_load(&flag))
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
