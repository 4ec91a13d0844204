/* EXPECT verdict=nothing-found exit=0 complete=false -- --execs 3
 * EXPECT verdict=nothing-found exit=0 complete=false -- --execs 3 -O0
 * EXPECT verdict=nothing-found exit=0 complete=false -- --execs 2 --strategy dpor
 * Two threads that count up to 24,000 with a regular step: long, but it ends. The step limit
 * grows with it, and what is repeated is not the state. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long count;

static void *counter(void *unused)
{
    for (int i = 0; i < 12000; i++)
        atomic_fetch_add(&count, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, counter, NULL);
    pthread_create(&b, NULL, counter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&count) == 24000);
    return 0;
}
