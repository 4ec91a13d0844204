/* EXPECT verdict=livelock exit=3 bound=0
 * The producer publishes one item of two: the loop reads and stores the same for ever. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    int item[4];
    atomic_uint tail; /* the producer's */
    unsigned head;    /* the consumer's … */
    unsigned seen;    /* … and its copy of the tail */
} queue;

static void *producer(void *unused)
{
    queue.item[0] = 1;
    queue.item[1] = 2;
    atomic_store_explicit(&queue.tail, 1, memory_order_release);
    return unused;
}

static int take(void)
{
    while (queue.head == queue.seen)
        queue.seen = atomic_load_explicit(&queue.tail, memory_order_acquire);
    return queue.item[queue.head++];
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    assert(take() == 1);
    assert(take() == 2);
    pthread_join(thread, NULL);
    return 0;
}
