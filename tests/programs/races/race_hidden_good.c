/* EXPECT verdict=passed exit=0 complete=true executions=379 distinct=3
 * The second thread takes the lock where it found the first one inside. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;
static int shared;

static void *first(void *unused)
{
    pthread_mutex_lock(&mutex);
    shared++;
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
    atomic_store_explicit(&inside, 0, memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *second(void *unused)
{
    if (atomic_load_explicit(&inside, memory_order_relaxed)) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
