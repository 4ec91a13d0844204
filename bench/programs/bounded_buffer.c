/* Bounded buffer with PRODUCERS producers and as many consumers (bbuf of paper 004, Table 1,
 * has four threads): a ring of CAPACITY slots under one mutex with two condition variables,
 * ITEMS items per producer. Every item must arrive once. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int ring[CAPACITY], first, count;
static int arrived[PRODUCERS * ITEMS];

static void *producer(void *number)
{
    int base = (int)(intptr_t)number * ITEMS;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (count == CAPACITY)
            pthread_cond_wait(&not_full, &mutex);
        ring[(first + count++) % CAPACITY] = base + i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consumer(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (count == 0)
            pthread_cond_wait(&not_empty, &mutex);
        arrived[ring[first]]++;
        first = (first + 1) % CAPACITY;
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2 * PRODUCERS];
    for (intptr_t i = 0; i < PRODUCERS; i++) {
        pthread_create(&threads[2 * i], NULL, producer, (void *)i);
        pthread_create(&threads[2 * i + 1], NULL, consumer, NULL);
    }
    for (int i = 0; i < 2 * PRODUCERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PRODUCERS * ITEMS; i++)
        assert(arrived[i] == 1);
    return 0;
}
