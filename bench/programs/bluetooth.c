/* The logic of a plug-and-play driver that is stopped while WORKERS threads use it (paper 003,
 * section 4.1: three threads). Users are counted, with one extra for the driver itself; who
 * counts down to zero raises the event that the stopping thread waits for.
 *
 * The bug, which needs one preemption: a worker looks whether the driver is stopping before it
 * counts itself in, and is preempted in between. -DFIXED counts first. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef WORKERS
#define WORKERS 2
#endif

static atomic_int users = 1;
static atomic_bool stopping, stopped;
static sem_t nobody_left;

static void leave(void)
{
    if (atomic_fetch_sub(&users, 1) == 1)
        sem_post(&nobody_left);
}

static bool enter(void)
{
#ifdef FIXED
    atomic_fetch_add(&users, 1);
    if (!atomic_load(&stopping))
        return true;
    leave();
    return false;
#else
    if (atomic_load(&stopping))
        return false;
    atomic_fetch_add(&users, 1);
    return true;
#endif
}

static void *worker(void *unused)
{
    if (enter()) {
        assert(!atomic_load(&stopped) && "nobody uses a stopped driver");
        leave();
    }
    return unused;
}

static void *stop(void *unused)
{
    atomic_store(&stopping, true);
    leave();
    sem_wait(&nobody_left);
    atomic_store(&stopped, true);
    return unused;
}

int main(void)
{
    pthread_t threads[WORKERS + 1];
    sem_init(&nobody_left, 0, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    pthread_create(&threads[WORKERS], NULL, stop, NULL);
    for (int i = 0; i < WORKERS + 1; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
