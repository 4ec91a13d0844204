/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * A spin loop that asks a function without instrumentation, as of a library that was not
 * rebuilt, how long to go on. The function's state changes unseen: the loop is not idle. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

__attribute__((noinline, no_sanitize("thread"))) static int patient(void)
{
    static int calls;
    return ++calls < 4;
}

static void *spinner(void *unused)
{
    while (!atomic_load(&flag) && patient()) {
    }
    assert(atomic_load(&flag)); /* HERE */
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, spinner, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
