/* EXPECT verdict=passed exit=0 complete=true executions=702 distinct=2
 * A loop over two objects, of which it waits for one to be free and only looks at the other: who
 * else looks at that one is of no concern to it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken = 1, cancelled;

static void *take(void *unused)
{
    int expected;
    do
        expected = 0;
    while (!atomic_compare_exchange_strong(&taken, &expected, 1) && !atomic_load(&cancelled));
    return unused;
}

static void *look(void *unused)
{
    atomic_load(&cancelled);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, look, NULL);
    atomic_store(&taken, 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
