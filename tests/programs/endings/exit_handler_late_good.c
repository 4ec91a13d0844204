/* EXPECT verdict=passed exit=0 complete=true
 * The handler is registered when what it looks for is there: whether main returns before that
 * or after, it finds it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int saved;

static void check(void)
{
    assert(atomic_load(&saved) == 1);
}

static void *saver(void *unused)
{
    atomic_store(&saved, 1);
    atexit(check);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, saver, NULL);
    pthread_detach(a);
    return 0;
}
