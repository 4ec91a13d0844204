/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * The flag is stored with release and read with acquire: a reader that sees it sees the data.
 * Two traces: flag seen or not. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *writer(void *unused)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

static void *reader(void *seen)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        *(int *)seen = data;
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
