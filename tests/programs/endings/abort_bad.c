/* EXPECT verdict=crash exit=1 bound=1 executions=7 distinct=3
 * abort() where the other thread is found between its two stores: one preemption. */
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
    if (atomic_load(&busy))
        abort();
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
