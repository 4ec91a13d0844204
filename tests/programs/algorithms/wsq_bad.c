/* EXPECT verdict=assertion exit=1 bound=1 executions=11 distinct=5 -- -DBUG=1
 * EXPECT verdict=assertion exit=1 bound=1 executions=25 distinct=5 -- -DBUG=2
 * EXPECT verdict=assertion exit=1 bound=2 executions=155 distinct=8 -- -DBUG=3
 * Work-stealing queue (Cilk's THE protocol) with its three classic bugs:
 * 1 the owner looks at the head before it claims the tail: preempted in between, the thief
 * takes the same item; 2 the thief looks at the tail before it claims the head: the same the
 * other way round; 3 on a conflict the owner gives up instead of deciding it under the lock.
 * Owner claims and is preempted, thief claims, sees the conflict and is preempted, owner gives
 * up, and so does the thief: nobody takes the item. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail = 2;
static atomic_int taken[2];

static int pop(void)
{
    int last = atomic_load(&tail) - 1;
    if (BUG == 1) {
        if (atomic_load(&head) > last)
            return -1;
        atomic_store(&tail, last);
        return last;
    }
    atomic_store(&tail, last);
    if (atomic_load(&head) <= last)
        return last;
    atomic_store(&tail, last + 1);
    if (BUG == 3)
        return -1;
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
    if (BUG == 2) {
        if (first < atomic_load(&tail))
            atomic_store(&head, first + 1);
        else
            first = -1;
        pthread_mutex_unlock(&mutex);
        return first;
    }
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
