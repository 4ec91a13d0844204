/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * The flag is raised while the block lives, and main frees it when both threads are gone. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static int *block;

static void *owner(void *unused)
{
    *block = 1;
    atomic_store(&done, 1);
    return unused;
}

static void *reader(void *seen)
{
    if (atomic_load(&done))
        *(int *)seen = *block;
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
    free(block);
    return 0;
}
