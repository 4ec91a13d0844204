/* EXPECT verdict=passed exit=0 complete=true executions=4367 distinct=20
 * Clocks and random numbers are deterministic under Mazur. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static atomic_int counter, other;

static unsigned noise(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned)(now.tv_nsec + rand() + time(NULL)) % 2;
}

static void *worker(void *unused)
{
    for (int i = 0; i < 8; i++)
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
