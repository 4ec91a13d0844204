/* EXPECT verdict=memory-error exit=11
 * EXPECT verdict=memory-error exit=11 -- --strategy dpor
 * main frees the queue while the worker waits at its condition variable, and returns. */
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    int items;
};

static void *worker(void *argument)
{
    struct queue *queue = argument;
    pthread_mutex_lock(&queue->mutex);
    while (queue->items == 0)
        pthread_cond_wait(&queue->filled, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

int main(void)
{
    struct queue *queue = malloc(sizeof *queue);
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->filled, NULL);
    queue->items = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, queue);
    pthread_mutex_lock(&queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
    free(queue);
    return 0;
}
