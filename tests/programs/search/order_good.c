/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * The consumer is created after the producer was joined. There is never a choice: main waits
 * while a thread runs, so there is exactly one execution. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *producer(void *unused)
{
    atomic_store(&ready, 1);
    return unused;
}

static void *consumer(void *unused)
{
    assert(atomic_load(&ready) == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(b, NULL);
    return 0;
}
