/* EXPECT verdict=not-linearizable exit=9 bound=2
 * A queue of several producers: the end is moved first and the value stored afterwards. The
 * consumer may find the first slot empty although a later enqueue has ended: it says "empty"
 * when it is not. */
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

#define EMPTY 0

static atomic_int slot[4];
static atomic_int head, tail;

static void enqueue(int value)
{
    mazur_history_begin("enqueue", value);
    int at = atomic_fetch_add(&tail, 1);
    atomic_store(&slot[at], value);
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
