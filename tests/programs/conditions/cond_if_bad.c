/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=172 distinct=20
 * A woken consumer tests the count with `if`: by the time it has the mutex back, the other
 * consumer has taken the item. Consumer 1 waits, the producer is preempted after its first
 * item, consumer 2 takes it, consumer 1 wakes up to nothing. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *producer(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        items++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *consumer(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (items == 0)
        pthread_cond_wait(&filled, &mutex);
    assert(items > 0); /* HERE */
    items--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, consumer, NULL);
    pthread_create(&thread[1], NULL, consumer, NULL);
    pthread_create(&thread[2], NULL, producer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
