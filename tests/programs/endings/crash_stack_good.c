/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * Recursion with a limit of its own: deep (about a megabyte of stack), but not without end. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int limit = 1 << 30;

static int recurse(int depth, int most)
{
    volatile char frame[1000];
    frame[depth % 1000] = 1;
    if (depth == most)
        return 0;
    return recurse(depth + 1, most) + frame[depth % 1000];
}

static void *worker(void *unused)
{
    int most = atomic_load(&limit);
    if (most > 1000)
        most = 1000;
    return recurse(0, most) < 0 ? &limit : unused;
}

static void *limiter(void *unused)
{
    atomic_store(&limit, 10);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, limiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
