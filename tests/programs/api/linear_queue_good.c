/* EXPECT verdict=passed exit=0 -- --bound 1
 * EXPECT verdict=passed exit=0 complete=true -- --strategy optimal --bound none
 * A queue of several producers, of which one at a time stores its value and then moves the end. */
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

#define EMPTY 0

static atomic_int slot[4];
static atomic_int head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enqueue(int value)
{
    mazur_history_begin("enqueue", value);
    pthread_mutex_lock(&lock);
    int at = atomic_load(&tail);
    atomic_store(&slot[at], value);
    atomic_store(&tail, at + 1);
    pthread_mutex_unlock(&lock);
    mazur_history_end("enqueue", value, "ok");
}

static void dequeue(void)
{
    int value = EMPTY;
    mazur_history_begin("dequeue");
    int at = atomic_load(&head);
    if (at < atomic_load(&tail))
        value = atomic_load(&slot[at]);
    if (value != EMPTY)
        atomic_store(&head, at + 1);
    mazur_history_end(value);
}

static void *producer(void *unused)
{
    enqueue(1);
    enqueue(2);
    return unused;
}

static void *other_producer(void *unused)
{
    enqueue(3);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, producer, NULL);
    pthread_create(&thread[1], NULL, other_producer, NULL);
    dequeue();
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    dequeue();
    dequeue();
    return 0;
}
