/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * The block itself is freed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *block;
static char *_Atomic cursor;

static void *mover(void *unused)
{
    atomic_fetch_add(&cursor, 4);
    return unused;
}

static void *owner(void *unused)
{
    char *end = atomic_load(&cursor);
    if (end >= block)
        free(block);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(16);
    atomic_store(&cursor, block);
    pthread_create(&a, NULL, mover, NULL);
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
