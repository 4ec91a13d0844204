/* EXPECT verdict=passed exit=0 complete=true executions=6 distinct=6
 * All combinations of two choices, 3 × 2, with one thread at a time: six executions. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>

static void *worker(void *unused)
{
    int size = mazur_choose(3), error = mazur_choose(2);
    assert(size >= 0 && size < 3 && error >= 0 && error < 2);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
