/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1
 * Each thread is joined once, and gives its value. */
#include <assert.h>
#include <pthread.h>

static void *worker(void *value)
{
    return value;
}

int main(void)
{
    pthread_t a, b;
    int one, two;
    void *result;
    pthread_create(&a, NULL, worker, &one);
    pthread_create(&b, NULL, worker, &two);
    assert(pthread_join(a, &result) == 0 && result == &one);
    assert(pthread_join(b, &result) == 0 && result == &two);
    return 0;
}
