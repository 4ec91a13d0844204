/* EXPECT verdict=memory-error exit=11 says=use_after_return -- -DMUTEX
 * EXPECT verdict=memory-error exit=11 says=use_after_return -- -DMUTEX --strategy dpor -O2
 * EXPECT verdict=memory-error exit=11 says=use_after_return -- -DSEMAPHORE
 * EXPECT verdict=memory-error exit=11 says=use_after_return -- -DATOMIC
 * EXPECT verdict=memory-error exit=11 says=use_after_return -- -DATOMIC --strategy optimal -O2
 * EXPECT verdict=memory-error exit=11 says=use_after_return -- -DPLAIN
 * A function waits for a thread with an object of its own, and returns while the thread still uses it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t go;

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
    pthread_mutex_unlock(&box->mutex);
    pthread_cond_signal(&box->changed);
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
    sem_post(argument);
    return NULL;
}

__attribute__((noinline)) static void start(pthread_t *thread)
{
    sem_t done;
    sem_init(&done, 0, 0);
    pthread_create(thread, NULL, work, &done);
    sem_wait(&done);
}
#elif defined ATOMIC
static void *work(void *argument)
{
    atomic_store((atomic_int *)argument, 1);
    atomic_store((atomic_int *)argument, 2);
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
    sem_wait(&go);
    *(int *)argument = 1;
    return NULL;
}

__attribute__((noinline)) static void start(pthread_t *thread)
{
    int value = 0;
    pthread_create(thread, NULL, work, &value);
}
#endif

int main(void)
{
    pthread_t thread;
    sem_init(&go, 0, 0);
    start(&thread);
    sem_post(&go);
    pthread_join(thread, NULL);
    return 0;
}
