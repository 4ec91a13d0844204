/* EXPECT verdict=passed exit=0 complete=true executions=139 distinct=2
 * pthread_once: one initialisation, and whoever comes meanwhile waits for it to finish. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int times;
static int table;

static void initialise(void)
{
    atomic_fetch_add(&times, 1);
    table = 1;
}

static void *worker(void *unused)
{
    pthread_once(&once, initialise);
    assert(table == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&times) == 1); /* HERE */
    return 0;
}
