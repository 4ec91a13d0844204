/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * EXPECT verdict=assertion exit=1 bound=0 -- -O2
 * A spin loop with a deadline, by the clock: nobody sets the flag, so the time runs out. */
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
    assert(atomic_load(&flag)); /* HERE */
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
