/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=6 distinct=3
 * Each thread raises its flag, then looks at the other's. The assertion denies that both see
 * the other's flag: true when they run one after the other, false after one preemption. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *x_then_y(void *seen)
{
    atomic_store(&x, 1);
    *(int *)seen = atomic_load(&y);
    return NULL;
}

static void *y_then_x(void *seen)
{
    atomic_store(&y, 1);
    *(int *)seen = atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int saw_y = 0, saw_x = 0;
    pthread_create(&a, NULL, x_then_y, &saw_y);
    pthread_create(&b, NULL, y_then_x, &saw_x);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(saw_x && saw_y)); /* HERE */
    return 0;
}
