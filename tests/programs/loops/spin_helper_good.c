/* EXPECT verdict=passed exit=0 complete=true executions=209 distinct=4
 * EXPECT verdict=passed exit=0 complete=true executions=209 distinct=4 -- -O0
 * The same loop, and what it found is right. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

__attribute__((noinline)) static int look(void)
{
    return atomic_load(&flag);
}

static void *looker(void *unused)
{
    int seen = 0;
    for (int i = 0; i < 3; i++)
        seen += look();
    assert(seen <= 3);
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, looker, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
