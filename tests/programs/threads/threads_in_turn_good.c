/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * Four hundred threads, one at a time. Never a choice, so
 * one execution. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *unused)
{
    counter++;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 400; i++) {
        pthread_t thread;
        assert(pthread_create(&thread, NULL, worker, NULL) == 0);
        pthread_join(thread, NULL);
    }
    assert(counter == 400);
    return 0;
}
