/* EXPECT verdict=passed exit=0 complete=true executions=295 distinct=5
 * The same loop, which copes with giving up. */
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
