/* EXPECT verdict=memory-error exit=11 bound=1 location=HERE executions=6 distinct=3
 * The reader announces its pointer but does not look again whether it is still the current one:
 * preempted before the announcement, it reads a block that the writer has freed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current, *_Atomic hazard;

static int *new_block(int value)
{
    int *block = malloc(sizeof *block);
    *block = value;
    return block;
}

static void *reader(void *unused)
{
    int *mine;
    mine = atomic_load(&current);
    atomic_store(&hazard, mine);
    assert(*mine == 1 || *mine == 2); /* HERE */
    atomic_store(&hazard, NULL);
    return unused;
}

static void *writer(void *unused)
{
    int *old = atomic_exchange(&current, new_block(2));
    while (atomic_load(&hazard) == old) {
    }
    free(old);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    atomic_store(&current, new_block(1));
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&current));
    return 0;
}
