/* EXPECT verdict=passed exit=0 complete=true -- -DMUTEX
 * EXPECT verdict=passed exit=0 complete=true -- -DMUTEX -O2
 * EXPECT verdict=passed exit=0 complete=true -- -DSEMAPHORE
 * EXPECT verdict=passed exit=0 complete=true -- -DATOMIC -O0
 * EXPECT verdict=passed exit=0 complete=true -- -DVARIABLE
 * EXPECT verdict=passed exit=0 complete=true -- -DVARIABLE -O2
 * A function waits for a thread with an object of its own, and returns when the thread is done with it;
 * or it calls others while the thread uses its array of variable length. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifdef MUTEX
struct box {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int done;
};

static void *work(void *argument)
{
    struct box *box = argument;
    pthread_mutex_lock(&box->mutex);
    box->done = 1;
    pthread_cond_signal(&box->changed);
    pthread_mutex_unlock(&box->mutex);
    return NULL;
}

__attribute__((noinline)) static void start(pthread_t *thread)
{
    struct box box = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    pthread_create(thread, NULL, work, &box);
    pthread_mutex_lock(&box.mutex);
    while (!box.done)
        pthread_cond_wait(&box.changed, &box.mutex);
    pthread_mutex_unlock(&box.mutex);
}
#elif defined SEMAPHORE
static void *work(void *argument)
{
    sem_post(argument);
    return NULL;
}

__attribute__((noinline)) static void start(pthread_t *thread)
{
    sem_t done;
    sem_init(&done, 0, 0);
    pthread_create(thread, NULL, work, &done);
    sem_wait(&done);
    sem_destroy(&done);
}
#elif defined ATOMIC
static void *work(void *argument)
{
    atomic_store((atomic_int *)argument, 1);
    return NULL;
}

__attribute__((noinline)) static void start(pthread_t *thread)
{
    atomic_int done = 0;
    pthread_create(thread, NULL, work, &done);
    while (!atomic_load(&done))
        ;
}
#else
static void *work(void *argument)
{
    atomic_int *counts = argument;
    atomic_fetch_add(&counts[0], 1);
    atomic_fetch_add(&counts[1], 1);
    return NULL;
}

__attribute__((noinline)) static int look(atomic_int *count)
{
    volatile int seen[8];
    seen[1] = atomic_load(count);
    return seen[1];
}

__attribute__((noinline)) static int use(int length, pthread_t *thread)
{
    atomic_int counts[length];
    for (int i = 0; i < length; i++)
        atomic_init(&counts[i], 0);
    pthread_create(thread, NULL, work, counts);
    int seen = look(&counts[0]) + look(&counts[1]);
    pthread_join(*thread, NULL);
    return seen;
}

static atomic_int others[2];

static void start(pthread_t *thread)
{
    use(2, thread);
    pthread_create(thread, NULL, work, others);
}
#endif

int main(void)
{
    pthread_t thread;
    start(&thread);
    pthread_join(thread, NULL);
    return 0;
}
