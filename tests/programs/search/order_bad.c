/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=3 distinct=2
 * The second thread takes for granted that the first has run, because it was created first.
 * main blocks in join and either thread may go first: no preemption is needed. */
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
    assert(atomic_load(&ready) == 1); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
