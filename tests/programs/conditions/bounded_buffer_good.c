/* EXPECT verdict=passed exit=0 executions=760 distinct=32 -- --bound 1
 * A condition variable for each of "not full" and "not empty". */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int items;

#define NOT_FULL  (&not_full)
#define NOT_EMPTY (&not_empty)

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
