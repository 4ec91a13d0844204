/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=8 distinct=4
 * A loop over two objects that ends when either changes, in a program that takes it for granted
 * that it was the first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken = 1, cancelled;

static void *take(void *unused)
{
    int expected;
    do
        expected = 0;
    while (!atomic_compare_exchange_strong(&taken, &expected, 1) && !atomic_load(&cancelled));
    assert(expected == 0); /* HERE */
    return unused;
}

static void *cancel(void *unused)
{
    atomic_store(&cancelled, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, cancel, NULL);
    atomic_store(&taken, 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
