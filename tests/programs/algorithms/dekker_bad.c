/* EXPECT verdict=assertion exit=1 bound=2 location=HERE executions=71 distinct=5
 * Looks before it says that it wants in: preempted between the two, it gets in when the other,
 * preempted inside, is there already. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void lock(int me)
{
    int other = 1 - me;
    while (atomic_load(&wants[other])) {
    }
    atomic_store(&wants[me], 1);
}

static void unlock(int me)
{
    atomic_store(&turn, 1 - me);
    atomic_store(&wants[me], 0);
}

static void *worker(void *argument)
{
    int me = *(int *)argument;
    lock(me);
    int alone = atomic_fetch_add(&inside, 1) == 0;
    assert(alone); /* HERE */
    atomic_fetch_sub(&inside, 1);
    unlock(me);
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
    return 0;
}
