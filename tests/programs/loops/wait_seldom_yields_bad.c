/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --depth 1000000 --execs 100
 * A loop that counts its rounds and yields in one of a hundred: every number of rounds is another
 * execution, and the failure behind it is found all the same. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready, data;

static void *reader(void *unused)
{
    for (unsigned round = 1; !atomic_load(&ready); round++)
        if (round % 100 == 0)
            sched_yield();
    assert(atomic_load(&data) == 1); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    sched_yield();
    atomic_store(&ready, 1);
    atomic_store(&data, 1);
    pthread_join(thread, NULL);
    return 0;
}
