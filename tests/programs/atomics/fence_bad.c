/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1
 * The writer has its release fence, the reader lacks the acquire fence: nothing is ordered.
 * Writer first, then reader. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *writer(void *unused)
{
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused)
{
    int seen = 42;
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        seen = data; /* HERE */
    }
    return seen == 42 ? unused : &data;
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
