/* EXPECT verdict=passed exit=0 complete=true executions=749 distinct=7
 * Hazard pointer: announce, look again, use, withdraw; the writer waits for the withdrawal
 * before it frees the old block. */
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
    do {
        mine = atomic_load(&current);
        atomic_store(&hazard, mine);
    } while (atomic_load(&current) != mine);
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
