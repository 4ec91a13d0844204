/* EXPECT verdict=passed exit=0 complete=true
 * The worker is told to go and joined before the queue is freed. */
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
    queue->items = 1;
    pthread_cond_signal(&queue->filled);
    pthread_mutex_unlock(&queue->mutex);
    pthread_join(thread, NULL);
    free(queue);
    return 0;
}
