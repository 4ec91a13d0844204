/* Paper 004, Table 1, "pfscan": the core of a parallel file scanner. Main puts names of files into a queue with room for few; workers take
 * them, scan, and add up what they found under a lock of its own. Rebuilt from that structure, without files.
 *
 * FILES files, WORKERS workers. */
#include <assert.h>
#include <pthread.h>

#ifndef FILES
#define FILES 2
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#define ROOM 1

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER,
                       matches_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], waiting, closed, matches;

static void put(int file)
{
    pthread_mutex_lock(&queue_lock);
    while (waiting == ROOM)
        pthread_cond_wait(&less, &queue_lock);
    queue[waiting++] = file;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&queue_lock);
}

static int take(void)
{
    int file = -1;
    pthread_mutex_lock(&queue_lock);
    while (waiting == 0 && !closed)
        pthread_cond_wait(&more, &queue_lock);
    if (waiting > 0) {
        file = queue[--waiting];
        pthread_cond_signal(&less);
    }
    pthread_mutex_unlock(&queue_lock);
    return file;
}

static void *scan(void *unused)
{
    while (take() >= 0) {
        pthread_mutex_lock(&matches_lock);
        matches++;
        pthread_mutex_unlock(&matches_lock);
    }
    return unused;
}

int main(void)
{
    pthread_t worker[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&worker[i], NULL, scan, NULL);
    for (int i = 0; i < FILES; i++)
        put(i);
    pthread_mutex_lock(&queue_lock);
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&queue_lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(worker[i], NULL);
    assert(matches == FILES);
    return 0;
}
