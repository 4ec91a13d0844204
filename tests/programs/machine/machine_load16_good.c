/* EXPECT verdict=passed exit=0 complete=true -- -mcx16 -latomic
 * An atomic load of 16 bytes: clang puts a hook there and leaves its own instruction behind it, which
 * is no assembly. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long first, second;
};

static _Atomic struct pair pair;

static void *change(void *unused)
{
    atomic_store(&pair, ((struct pair){1, 1}));
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    struct pair seen = atomic_load(&pair);
    pthread_join(thread, NULL);
    assert(seen.first == seen.second);
    return 0;
}
