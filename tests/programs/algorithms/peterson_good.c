/* EXPECT verdict=passed exit=0 complete=true executions=9492 distinct=12
 * Peterson's lock: mutual exclusion with nothing but sequentially consistent atomics, and the
 * spin loops have no yield in them. */
#include <pthread.h>
#include <stdatomic.h>

/* Not static: clang 14 makes a local variable of an atomic that only one function uses. */
atomic_int wants[2], turn;
static int inside;

static void *worker(void *argument)
{
    int me = *(int *)argument, other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
    inside++; /* HERE */
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int zero = 0, one = 1;
    pthread_create(&a, NULL, worker, &zero);
    pthread_create(&b, NULL, worker, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return inside != 2;
}
