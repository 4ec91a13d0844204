/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=2 distinct=2
 * Only one of the threads gets the serial mark; the second one takes it for granted that it is
 * itself, the last one to be created. Either may come last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *first(void *unused)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_fetch_add(&serial, 1);
    return unused;
}

static void *second(void *unused)
{
    int result = pthread_barrier_wait(&barrier);
    assert(result == PTHREAD_BARRIER_SERIAL_THREAD); /* HERE */
    if (result == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_fetch_add(&serial, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&serial) == 1);
    return 0;
}
