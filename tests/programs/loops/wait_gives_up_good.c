/* EXPECT verdict=nothing-found exit=0 complete=false -- --execs 200
 *
 * The same without the failure: neither thread is stuck. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int never, given_up, looks[2];

__attribute__((noinline)) static bool wait_for(atomic_int *what, long rounds, atomic_int *count)
{
    for (long i = 0; i != rounds; i++) {
        if (atomic_load(what))
            return true;
        atomic_fetch_add(count, 1);
    }
    return false;
}

static void *patient(void *unused)
{
    assert(wait_for(&given_up, -1, &looks[0]));
    return unused;
}

static void *impatient(void *unused)
{
    if (!wait_for(&never, 300, &looks[1]))
        atomic_store(&given_up, 1);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, patient, NULL);
    pthread_create(&second, NULL, impatient, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
