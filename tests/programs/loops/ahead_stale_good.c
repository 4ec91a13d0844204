/* EXPECT verdict=passed exit=0 complete=true distinct=2 -- --strategy optimal
 * EXPECT verdict=passed exit=0 complete=true distinct=2 -- --strategy cbpor
 * A thread that has read 0 stands before a read of 2, which would send it round, and nothing
 * else can run. That is no livelock: a round that begins now ends. The execution is redundant.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x;
static bool ended;

static void *writer(void *unused)
{
    atomic_store(&x, 2);
    return unused;
}

static void *reader(void *unused)
{
    while (atomic_load(&x) != 2)
        if (atomic_fetch_or(&x, 0) == 0)
            return unused;
    ended = true;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
