/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1
 * C11 threads, and the counter is not protected. */
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int counter;

static int increment(void *unused)
{
    (void)unused;
    counter++; /* HERE */
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
