/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * The thread that brings the count to zero frees. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 2;
static int *block;

static void *release(void *unused)
{
    if (atomic_fetch_sub(&references, 1) == 1)
        free(block); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(sizeof *block);
    pthread_create(&a, NULL, release, NULL);
    pthread_create(&b, NULL, release, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
