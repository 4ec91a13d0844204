/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * One condition variable for "not full" and "not empty", and signal: with a producer and a
 * consumer waiting at once, a consumer's signal may wake the other consumer instead of the
 * producer. Both consumers wait, the producer fills the buffer and waits, one consumer takes
 * the item and wakes the other: switches at blocking operations only. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

#define NOT_FULL  (&changed)
#define NOT_EMPTY (&changed)

static void put(void)
{
    pthread_mutex_lock(&mutex);
    while (items == 1)
        pthread_cond_wait(NOT_FULL, &mutex);
    items++;
    pthread_cond_signal(NOT_EMPTY);
    pthread_mutex_unlock(&mutex);
}

static void *producer(void *unused)
{
    put();
    put();
    return unused;
}

static void *consumer(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(NOT_EMPTY, &mutex);
    items--;
    pthread_cond_signal(NOT_FULL);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, i < 2 ? consumer : producer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
