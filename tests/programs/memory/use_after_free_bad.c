/* EXPECT verdict=memory-error exit=11 bound=0 location=HERE executions=1 distinct=1
 * The owner frees the block and then raises the flag; the reader, told by the flag that the
 * block is there, reads it. Ordered by the flag, so not a race: a use after free. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static int *block;

static void *owner(void *unused)
{
    *block = 1;
    free(block);
    atomic_store(&done, 1);
    return unused;
}

static void *reader(void *seen)
{
    if (atomic_load(&done))
        *(int *)seen = *block; /* HERE */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int seen = 0;
    block = malloc(sizeof *block);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, reader, &seen);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
