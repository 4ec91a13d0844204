/* EXPECT verdict=passed exit=0 complete=true executions=400 distinct=2
 * The two stores are one critical section, and so is the look at them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int busy;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&busy, 1);
    atomic_store(&busy, 0);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *watchdog(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (atomic_load(&busy))
        abort();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, watchdog, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
