/* EXPECT verdict=passed exit=0 complete=false executions=1 distinct=1
 * A spin loop with a deadline that counts its rounds: it never comes back to the same state,
 * but time goes on for it, too, once nobody else can run. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

atomic_int flag; /* not static: clang would see that nobody sets it */
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
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spinner, NULL);
    pthread_join(thread, NULL);
    return 0;
}
