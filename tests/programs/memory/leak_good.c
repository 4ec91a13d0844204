/* EXPECT verdict=passed exit=0 complete=true executions=201 distinct=4 -- --leaks
 * Whoever loses the compare-exchange frees its block. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic cache;

static void *fill(void *unused)
{
    if (!atomic_load(&cache)) {
        int *block = malloc(sizeof *block);
        int *expected = NULL;
        if (!atomic_compare_exchange_strong(&cache, &expected, block))
            free(block);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, fill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&cache));
    return 0;
}
