/* EXPECT verdict=passed exit=0 complete=true executions=52 distinct=1
 * Executions in which the second thread came first are given up at the assumption, so that one
 * trace is left. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *first(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

static void *second(void *unused)
{
    int seen = atomic_load(&flag);
    mazur_assume(seen == 1);
    assert(!mazur_running() || seen == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
