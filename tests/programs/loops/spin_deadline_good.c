/* EXPECT verdict=passed exit=0 complete=true executions=10 distinct=1
 * EXPECT verdict=passed exit=0 complete=true -- -O2
 * A spin loop with a deadline, by the clock: time goes on while a thread spins, so that the
 * loop ends even if nobody sets the flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *spinner(void *unused)
{
    long deadline = now() + 10;
    while (!atomic_load(&flag) && now() < deadline) {
    }
    return unused;
}

static void *nobody(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, spinner, NULL);
    pthread_create(&b, NULL, nobody, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
