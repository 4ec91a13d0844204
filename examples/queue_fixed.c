/* The queue of queue.c for any number of producers.
 *
 *     mazur check examples/queue_fixed.c
 *
 * A producer first reserves a slot, by moving the tail with a compare-exchange, and then fills
 * it. Since a reserved slot may not be filled yet, each slot says what it holds: `turn` is even
 * while the slot is free and odd while it is filled, and grows with every use. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 4

struct slot {
    atomic_uint turn; /* 2 × round: free for that round; 2 × round + 1: filled */
    int item;
};

struct queue {
    unsigned head; /* one consumer */
    atomic_uint tail;
    struct slot slot[SLOTS];
};

static struct queue q;

static bool enqueue(int item)
{
    unsigned tail = atomic_load(&q.tail);
    for (;;) {
        struct slot *slot = &q.slot[tail % SLOTS];
        unsigned round = tail / SLOTS;
        if (atomic_load_explicit(&slot->turn, memory_order_acquire) == 2 * round) {
            if (atomic_compare_exchange_strong(&q.tail, &tail, tail + 1)) {
                slot->item = item;
                atomic_store_explicit(&slot->turn, 2 * round + 1, memory_order_release);
                return true;
            }
        } else if (tail == atomic_load(&q.tail)) {
            return false;
        } else {
            tail = atomic_load(&q.tail);
        }
    }
}

static int dequeue(void)
{
    struct slot *slot = &q.slot[q.head % SLOTS];
    unsigned round = q.head / SLOTS;
    if (atomic_load_explicit(&slot->turn, memory_order_acquire) != 2 * round + 1)
        return 0;
    int item = slot->item;
    atomic_store_explicit(&slot->turn, 2 * (round + 1), memory_order_release);
    q.head++;
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
