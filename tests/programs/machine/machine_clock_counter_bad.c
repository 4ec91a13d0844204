/* EXPECT verdict=passed exit=0 complete=false
 * The processor's counter decides what is run. It is virtual, so that executions can be
 * repeated, but other values are not tried: nothing is complete. */
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

static atomic_int word;

static int decide(void)
{
    return __rdtsc() >> 4 & 1;
}

static void *first(void *unused)
{
    if (decide()) {
        word = 1;
        word = 2;
    } else {
        word = 3;
    }
    return unused;
}

static void *second(void *unused)
{
    word = word + 2;
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
