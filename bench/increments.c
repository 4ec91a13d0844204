/* The benchmark program of the native engine: THREADS threads, each ROUNDS increments of a
 * shared counter (atomic, or under a mutex with -DMUTEX) and PRIVATE atomic operations on a
 * location of its own, which are visible operations that conflict with nothing. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifndef PRIVATE
#define PRIVATE 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int plain;
static atomic_int shared;
static struct {
    atomic_int count;
    char padding[60];
} own[THREADS];

static void increment(void)
{
#ifdef MUTEX
    pthread_mutex_lock(&mutex);
    plain++;
    pthread_mutex_unlock(&mutex);
#else
    atomic_fetch_add(&shared, 1);
#endif
}

static void *worker(void *argument)
{
    atomic_int *mine = argument;
    for (int i = 0; i < PRIVATE; i++)
        atomic_fetch_add(mine, 1);
    for (int i = 0; i < ROUNDS; i++)
        increment();
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, &own[i].count);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    (void)mutex;
    return plain + shared == THREADS * ROUNDS ? 0 : 1;
}
