/* EXPECT verdict=passed exit=0 complete=true
 * Asks until it has ended: a loop that waits. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *unused)
{
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (pthread_tryjoin_np(thread, NULL) == EBUSY) {
    }
    assert(atomic_load(&done) == 1);
    return 0;
}
