/* EXPECT verdict=assertion exit=1 bound=1
 * A second attempt stores another value than a first one would: the thread is not where it
 * would be if it had begun later, although only the argument of the call differs. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, ready;

static void *change(void *unused)
{
    atomic_store(&ready, 1);
    int old = atomic_load(&count);
    int wanted = old + 1;
    while (!atomic_compare_exchange_strong(&count, &old, wanted))
        wanted = old + 2;
    return unused;
}

static void *set(void *unused)
{
    atomic_store(&count, 5);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, set, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&count) != 7);
    return 0;
}
