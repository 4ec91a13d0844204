/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=21 distinct=4
 * The reader does not look at the sequence number again: preempted between its two reads, it
 * gets the old first half and the new second one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int first, second;

static void *writer(void *unused)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&first, 7, memory_order_relaxed);
    atomic_store_explicit(&second, 7, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return unused;
}

static void *reader(void *unused)
{
    unsigned before;
    int a, b;
    do {
        while ((before = atomic_load_explicit(&sequence, memory_order_acquire)) & 1) {
        }
        a = atomic_load_explicit(&first, memory_order_relaxed);
        b = atomic_load_explicit(&second, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (0);
    assert(a == b); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
