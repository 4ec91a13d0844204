/* EXPECT verdict=passed exit=0 complete=true executions=446 distinct=4
 * Polls with a sleep a limited number of times, and copes with not being told. Virtual time
 * goes on by what was slept. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;

static void *poller(void *unused)
{
    struct timespec before, after, pause = {0, 1000 * 1000};
    int polls = 0;
    clock_gettime(CLOCK_MONOTONIC, &before);
    while (!atomic_load(&ready) && polls < 2) {
        nanosleep(&pause, NULL);
        polls++;
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    long slept =
        (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
    assert(slept >= polls);
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&ready, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, poller, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
