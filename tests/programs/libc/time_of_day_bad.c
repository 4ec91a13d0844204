/* EXPECT verdict=assertion exit=1 location=HERE
 * A thread that sleeps longer than another one is taken to be behind it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int done;

static void *sleeper(void *unused)
{
    struct timespec wait = {1, 500000000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, NULL);
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timeval before, after;
    time_t start = time(NULL);
    gettimeofday(&before, NULL);
    pthread_create(&thread, NULL, sleeper, NULL);
    sleep(2);
    gettimeofday(&after, NULL);
    assert(after.tv_sec - before.tv_sec >= 2 && time(NULL) - start >= 2);
    assert(atomic_load(&done)); /* HERE */
    pthread_join(thread, NULL);
    return 0;
}
