/* EXPECT verdict=passed exit=0 complete=true executions=295 distinct=5
 * A spin loop that counts its rounds in the heap, gives up after three, and copes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int *rounds;

static void *spinner(void *unused)
{
    while (!atomic_load(&flag) && *rounds < 3)
        ++*rounds;
    assert(*rounds <= 3);
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
    rounds = calloc(1, sizeof *rounds);
    pthread_create(&a, NULL, spinner, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(rounds);
    return 0;
}
