/* The bounded buffer of buffer.c, right.
 *
 *     mazur check examples/buffer_fixed.c --bound 2
 *
 * A woken thread looks again whether what it waited for is so, and waits on if it is not. */
#include <assert.h>
#include <pthread.h>

#define CAPACITY 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int buffer[CAPACITY];
static int count;

static void put(int item)
{
    pthread_mutex_lock(&mutex);
    while (count == CAPACITY)
        pthread_cond_wait(&not_full, &mutex);
    buffer[count++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int take(void)
{
    pthread_mutex_lock(&mutex);
    while (count == 0)
        pthread_cond_wait(&not_empty, &mutex);
    assert(count > 0 && "there is something to take");
    int item = buffer[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *producer(void *unused)
{
    put(1);
    put(2);
    return unused;
}

static void *consumer(void *sum)
{
    *(int *)sum = take();
    return NULL;
}

int main(void)
{
    pthread_t consumers[2], source;
    int got[2];
    pthread_create(&consumers[0], NULL, consumer, &got[0]);
    pthread_create(&consumers[1], NULL, consumer, &got[1]);
    pthread_create(&source, NULL, producer, NULL);
    pthread_join(consumers[0], NULL);
    pthread_join(consumers[1], NULL);
    pthread_join(source, NULL);
    assert(got[0] + got[1] == 3);
    return 0;
}
