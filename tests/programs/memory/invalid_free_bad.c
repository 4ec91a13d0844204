/* EXPECT verdict=memory-error exit=11 bound=0 location=HERE says=free executions=1 distinct=1
 * The cursor into the block is freed instead of the block: fine unless it was moved before. */
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
    free(end); /* HERE */
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
