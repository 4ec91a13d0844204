/* EXPECT verdict=memory-error exit=11 bound=1 location=HERE says=double_free executions=6
 * Reference counting: decrement, then look whether it is zero. One preemption in between, and
 * both threads see zero. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 2;
static int *block;

static void *release(void *unused)
{
    atomic_fetch_sub(&references, 1);
    if (atomic_load(&references) == 0)
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
