/* EXPECT verdict=passed exit=0 executions=1340 distinct=10 -- --bound 3
 * Work-stealing queue (Cilk's THE protocol): each side claims first and looks then; a conflict
 * over the last item is decided under the lock. Each item is taken exactly once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail = 2;
static atomic_int taken[2];

static int pop(void)
{
    int last = atomic_load(&tail) - 1;
    atomic_store(&tail, last);
    if (atomic_load(&head) <= last)
        return last;
    atomic_store(&tail, last + 1);
    pthread_mutex_lock(&mutex);
    atomic_store(&tail, last);
    if (atomic_load(&head) > last) {
        atomic_store(&tail, last + 1);
        last = -1;
    }
    pthread_mutex_unlock(&mutex);
    return last;
}

static int steal(void)
{
    pthread_mutex_lock(&mutex);
    int first = atomic_load(&head);
    atomic_store(&head, first + 1);
    if (first + 1 > atomic_load(&tail)) {
        atomic_store(&head, first);
        first = -1;
    }
    pthread_mutex_unlock(&mutex);
    return first;
}

static void take(int item)
{
    if (item >= 0)
        assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *owner(void *unused)
{
    take(pop());
    take(pop());
    return unused;
}

static void *thief(void *unused)
{
    take(steal());
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&taken[0]) + atomic_load(&taken[1]) == 2);
    return 0;
}
