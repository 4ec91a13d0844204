/* EXPECT verdict=assertion exit=1 location=HERE
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy optimal
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy dpor
 * A detached thread registers a handler while main returns: only if it comes first does the
 * handler run. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int saved;

static void check(void)
{
    assert(atomic_load(&saved) == 1); /* HERE */
}

static void *saver(void *unused)
{
    atexit(check);
    atomic_store(&saved, 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, saver, NULL);
    pthread_detach(a);
    return 0;
}
