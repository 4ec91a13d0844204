/* EXPECT verdict=passed exit=0 complete=true
 * The loop stores what it reads, which is what was there already: it waits all the same. */
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
    for (unsigned i = 0; i < 2; i++) {
        queue.item[i] = (int)i + 1;
        atomic_store_explicit(&queue.tail, i + 1, memory_order_release);
    }
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
