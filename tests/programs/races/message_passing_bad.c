/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1
 * The flag that publishes the data is relaxed: it orders nothing, so reading the data races
 * with writing it. Shows as soon as the reader sees the flag: writer first, then reader. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *writer(void *unused)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *seen)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        *(int *)seen = data; /* HERE */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int seen = 42;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, &seen);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen != 42;
}
