/* EXPECT verdict=exit exit=1 bound=1 executions=6 distinct=3
 * A thread ends the process with status 3 where it finds the two counters out of step: after
 * one preemption between their updates. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int credits, debits;

static void *transfer(void *unused)
{
    atomic_fetch_add(&credits, 1);
    atomic_fetch_add(&debits, 1);
    return unused;
}

static void *audit(void *unused)
{
    if (atomic_load(&credits) != atomic_load(&debits))
        exit(3);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, transfer, NULL);
    pthread_create(&b, NULL, audit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
