/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=5 distinct=3
 * A loop that says that it waits is idle all the same: what it prints is no state of the
 * program. The data come after the flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag, data;

static void *waiter(void *unused)
{
    while (!atomic_load(&flag))
        printf("still waiting\n");
    assert(atomic_load(&data) == 1); /* HERE */
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&flag, 1);
    atomic_store(&data, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
