/* EXPECT verdict=assertion exit=1 bound=0 location=HERE complete=false
 *
 * Two threads wait in the same function, one for ever, one for 300 rounds: it gives up where
 * nothing else can run, and then the other goes on, too. */
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
    assert(!wait_for(&given_up, -1, &looks[0])); /* HERE */
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
