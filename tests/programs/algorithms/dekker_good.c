/* EXPECT verdict=passed exit=0 complete=true executions=92460 distinct=11
 * Dekker's algorithm: say it, look, and give way where it is not one's turn. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void lock(int me)
{
    int other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == other) {
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) == other) {
            }
            atomic_store(&wants[me], 1);
        }
    }
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
