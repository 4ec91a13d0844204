/* EXPECT verdict=assertion exit=1 bound=0 location=HERE
 * A loop that counts its rounds in a global variable is no wait: it gives up. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, never;
static int rounds;

static void *waiter(void *unused)
{
    while (!atomic_load(&flag) && rounds < 3)
        rounds++;
    assert(atomic_load(&flag)); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&never, 1);
    pthread_join(thread, NULL);
    atomic_store(&flag, 1);
    return 0;
}
