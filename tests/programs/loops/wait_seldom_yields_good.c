/* EXPECT verdict=nothing-found exit=0 complete=false -- --bound 1 --depth 1000000 --execs 100
 * What the loop waits for comes last. */
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
    assert(atomic_load(&data) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    sched_yield();
    atomic_store(&data, 1);
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return 0;
}
