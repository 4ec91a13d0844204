/* EXPECT verdict=assertion exit=1 bound=0 executions=1 distinct=1
 * The same, and the thread takes it for granted that it was not the time that was up. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;
long rounds;

static void *spinner(void *unused)
{
    struct timespec now, end;
    long count = 0;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += 2;
    do {
        count++;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!atomic_load(&flag) && (now.tv_sec < end.tv_sec ||
                                     (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec)));
    rounds = count;
    assert(atomic_load(&flag));
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spinner, NULL);
    pthread_join(thread, NULL);
    return 0;
}
