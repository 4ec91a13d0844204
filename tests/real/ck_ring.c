/* Concurrency Kit's single-producer ring between two threads. Its atomics are inline assembly,
 * which instrumentation can't see. */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <sched.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int value[2] = {5, 6};

static void *producer(void *unused)
{
    for (int i = 0; i < 2; i++)
        while (!ck_ring_enqueue_spsc(&ring, buffer, &value[i]))
            sched_yield();
    return unused;
}

int main(void)
{
    pthread_t thread;
    ck_ring_init(&ring, 4);
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 0; i < 2; i++) {
        void *got = NULL;
        while (!ck_ring_dequeue_spsc(&ring, buffer, &got))
            sched_yield();
        assert(got == &value[i]);
    }
    pthread_join(thread, NULL);
    return 0;
}
