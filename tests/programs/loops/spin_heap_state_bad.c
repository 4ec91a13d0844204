/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * The state that ends the loop lies in a block of the heap, and only code without
 * instrumentation touches it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct patience {
    int calls;
};

static atomic_int flag;

__attribute__((noinline, no_sanitize("thread"))) static int patient(struct patience *patience)
{
    return ++patience->calls < 3;
}

static void *spinner(void *unused)
{
    struct patience *patience = calloc(1, sizeof *patience);
    while (!atomic_load(&flag) && patient(patience)) {
    }
    free(patience);
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
