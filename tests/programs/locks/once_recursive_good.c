/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * The initialisation routine uses another once. main waits while the only thread runs: one
 * execution. */
#include <pthread.h>

static pthread_once_t outer = PTHREAD_ONCE_INIT;
static pthread_once_t inner = PTHREAD_ONCE_INIT;

static void nothing(void) {}

static void initialise(void)
{
    pthread_once(&inner, nothing);
}

static void *worker(void *unused)
{
    pthread_once(&outer, initialise);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
