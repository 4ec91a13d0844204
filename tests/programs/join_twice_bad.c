/* EXPECT verdict=misuse exit=12 bound=0 location=HERE executions=1 distinct=1
 * A thread is joined a second time. */
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
    pthread_join(a, &result); /* HERE */
    assert(pthread_join(b, &result) == 0 && result == &two);
    return 0;
}
