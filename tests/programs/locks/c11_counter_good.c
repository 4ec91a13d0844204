/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * C11 threads and a mtx_t: two orders, two traces. */
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int counter;

static int increment(void *unused)
{
    (void)unused;
    mtx_lock(&mutex);
    counter++; /* HERE */
    mtx_unlock(&mutex);
    return 3;
}

int main(void)
{
    thrd_t a, b;
    int result = 0;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&a, increment, NULL);
    thrd_create(&b, increment, NULL);
    thrd_join(a, &result);
    thrd_join(b, NULL);
    assert(result == 3 && counter == 2);
    mtx_destroy(&mutex);
    return 0;
}
