/* A lock-free queue that lost an item in production.
 *
 *     mazur check examples/queue.c          finds the lost item
 *     mazur check examples/queue_fixed.c    shows that the repaired queue loses none
 *
 * The queue is a ring of slots with a head and a tail that only grow. It was written for one
 * producer and one consumer, and is right for them. Then somebody added a second producer. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 4

struct queue {
    atomic_uint head; /* next item to take */
    atomic_uint tail; /* next slot to fill */
    atomic_int slot[SLOTS];
};

static struct queue q;

static bool enqueue(int item)
{
    unsigned tail = atomic_load(&q.tail);
    if (tail - atomic_load(&q.head) == SLOTS)
        return false;
    atomic_store(&q.slot[tail % SLOTS], item);
    atomic_store(&q.tail, tail + 1);
    return true;
}

static int dequeue(void)
{
    unsigned head = atomic_load(&q.head);
    if (head == atomic_load(&q.tail))
        return 0;
    int item = atomic_load(&q.slot[head % SLOTS]);
    atomic_store(&q.head, head + 1);
    return item;
}

static void *producer(void *item)
{
    bool done = enqueue(*(int *)item);
    assert(done);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    int one = 1, two = 2;
    pthread_create(&first, NULL, producer, &one);
    pthread_create(&second, NULL, producer, &two);
    pthread_join(first, NULL);
    pthread_join(second, NULL);

    int sum = dequeue();
    sum += dequeue();
    assert(sum == one + two && "both items are in the queue");
    return 0;
}
