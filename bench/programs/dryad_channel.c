/* A shared-memory channel with worker threads, after paper 003, Figure 4: WORKERS workers take
 * messages from the channel; closing it sends each of them a stop message, in response to which
 * a worker enters the channel's critical section once more to alert the application.
 *
 * The test deletes the channel after close() has returned. Without -DFIXED close() returns when
 * every stop message has been taken, not when the workers are done: a worker that is preempted
 * right before it enters the critical section uses a channel that was freed. One preemption.
 * -DFIXED: close() waits for the workers. */
#include <pthread.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef MESSAGES
#define MESSAGES 1
#endif
#define STOP (-1)

struct channel {
    pthread_mutex_t base; /* m_baseCS */
    void (*interrupt_handler)(void);
    int interrupts;
};

/* the work queue outlives the channel */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int queue[MESSAGES + WORKERS], put, taken, stopped;

static void put_message(int message)
{
    pthread_mutex_lock(&queue_lock);
    queue[put++] = message;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&queue_lock);
}

static int take_message(void)
{
    pthread_mutex_lock(&queue_lock);
    while (taken == put)
        pthread_cond_wait(&filled, &queue_lock);
    int message = queue[taken++];
    if (taken == put)
        pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&queue_lock);
    return message;
}

static void alert_application(struct channel *channel)
{
    pthread_mutex_lock(&channel->base); /* the switch right before this is the bug */
    if (channel->interrupt_handler)
        channel->interrupts++;
    pthread_mutex_unlock(&channel->base);
}

static void *worker(void *argument)
{
    struct channel *channel = argument;
    while (take_message() != STOP)
        ;
    alert_application(channel);
    pthread_mutex_lock(&queue_lock);
    stopped++;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&queue_lock);
    return NULL;
}

static void close_channel(void)
{
    for (int i = 0; i < WORKERS; i++)
        put_message(STOP);
    pthread_mutex_lock(&queue_lock);
#ifdef FIXED
    while (stopped < WORKERS)
#else
    while (taken < put)
#endif
        pthread_cond_wait(&emptied, &queue_lock);
    pthread_mutex_unlock(&queue_lock);
}

int main(void)
{
    pthread_t thread[WORKERS];
    struct channel *channel = calloc(1, sizeof *channel);
    pthread_mutex_init(&channel->base, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, worker, channel);
    for (int i = 0; i < MESSAGES; i++)
        put_message(i);
    close_channel();
    free(channel);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
