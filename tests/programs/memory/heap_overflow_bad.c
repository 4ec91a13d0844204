/* EXPECT verdict=memory-error exit=11 bound=1 location=HERE executions=6 distinct=3
 * The free slot is looked up, then taken: one preemption in between and the second thread gets
 * a slot past the end of the block. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *slots;
static atomic_int used;

static void *put(void *unused)
{
    if (atomic_load(&used) < 1)
        slots[atomic_fetch_add(&used, 1)] = 'x'; /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    slots = malloc(1);
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, put, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(slots);
    return 0;
}
