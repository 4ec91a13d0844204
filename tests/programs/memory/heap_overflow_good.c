/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * Each thread takes a slot in one operation, and there are enough. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *slots;
static atomic_int used;

static void *put(void *unused)
{
    slots[atomic_fetch_add(&used, 1)] = 'x'; /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    slots = malloc(2);
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, put, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(slots);
    return 0;
}
