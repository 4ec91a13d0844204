/* EXPECT verdict=assertion exit=1 bound=2
 * The attempts are counted: one that failed has an effect, which is read later. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *increment(void *unused)
{
    int tries = 1;
    int old = atomic_load(&count);
    while (!atomic_compare_exchange_strong(&count, &old, old + 1))
        tries++;
    assert(tries < 3);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_create(&c, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
