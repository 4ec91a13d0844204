/* EXPECT verdict=data-race exit=7 bound=1 executions=7 distinct=3
 * The second thread only touches the data without lock where it finds the first one inside its
 * critical section (a relaxed flag tells): one preemption. */
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
        shared++;
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
