/* EXPECT verdict=passed exit=0 complete=true
 * A loop that counts its rounds in a global variable, and copes with giving up. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int rounds;

static void *waiter(void *unused)
{
    while (!atomic_load(&flag) && rounds < 3)
        rounds++;
    assert(atomic_load(&flag) || rounds == 3);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
