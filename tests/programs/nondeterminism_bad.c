/* EXPECT verdict=nondeterminism exit=5
 * What a thread does depends on the processor's time stamp counter, which Mazur does not
 * control: executions of one schedule differ. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static atomic_int counter, other;

static unsigned noise(void)
{
    unsigned long long stamp = __builtin_ia32_rdtsc();
    return (unsigned)((stamp * 0x9e3779b97f4a7c15) >> 60);
}

static void *worker(void *unused)
{
    for (int i = 0; i < 16; i++) /* once would be the same twice every other time */
        if (noise() % 2)
            atomic_fetch_add(&counter, 1);
        else
            atomic_store(&other, 1);
    return unused;
}

static void *waiter(void *unused)
{
    atomic_fetch_add(&counter, 1);
    atomic_fetch_add(&other, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
