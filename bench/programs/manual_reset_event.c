/* A manual-reset event that stays cheap while nobody waits (after the test MRSE of paper 002,
 * Table 1): the state is one atomic word, the lock and the condition variable are for sleepers
 * only. WAITERS threads wait until the event is set by another thread.
 *
 * The bug: set() looks for sleepers before it sets the event, so that a thread which goes to
 * sleep in between is never woken: deadlock. -DFIXED sets first. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef WAITERS
#define WAITERS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool is_set;
static atomic_int sleepers;

static void set(void)
{
#ifdef FIXED
    atomic_store(&is_set, true);
    bool must_wake = atomic_load(&sleepers) > 0;
#else
    bool must_wake = atomic_load(&sleepers) > 0;
    atomic_store(&is_set, true);
#endif
    if (must_wake) {
        pthread_mutex_lock(&mutex);
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
}

static void *waiter(void *unused)
{
    if (atomic_load(&is_set))
        return unused;
    pthread_mutex_lock(&mutex);
    atomic_fetch_add(&sleepers, 1);
    while (!atomic_load(&is_set))
        pthread_cond_wait(&changed, &mutex);
    atomic_fetch_sub(&sleepers, 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *setter(void *unused)
{
    set();
    return unused;
}

int main(void)
{
    pthread_t threads[WAITERS + 1];
    for (int i = 0; i < WAITERS; i++)
        pthread_create(&threads[i], NULL, waiter, NULL);
    pthread_create(&threads[WAITERS], NULL, setter, NULL);
    for (int i = 0; i < WAITERS + 1; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
