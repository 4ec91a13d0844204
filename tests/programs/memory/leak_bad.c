/* EXPECT verdict=memory-error exit=11 bound=1 says=leak executions=6 distinct=3 -- --leaks
 * EXPECT verdict=passed exit=0 complete=true executions=201 distinct=4
 * Lazy initialisation without exclusion: after one preemption between test and store both
 * threads allocate, and one block is lost. Looked for only when asked. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic cache;

static void *fill(void *unused)
{
    if (!atomic_load(&cache)) {
        int *block = malloc(sizeof *block);
        atomic_store(&cache, block);
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
