/* EXPECT verdict=passed exit=0 complete=false -- --bound none
 * The handler runs between the two halves of an update in some executions, which no operation separates:
 * it is tried at operations only, so this is not found, and nothing may be called complete. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static volatile int low, high;
static atomic_int ready;

static void on_signal(int number)
{
    (void)number;
    assert(low == high);
}

static void *update(void *unused)
{
    atomic_store(&ready, 1);
    low++;
    high++;
    atomic_store(&ready, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, update, NULL);
    if (atomic_load(&ready))
        pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
