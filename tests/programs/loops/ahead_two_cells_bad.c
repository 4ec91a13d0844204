/* EXPECT verdict=livelock exit=3 bound=0
 * The loop ends only if a was read before it was reset and b after it was set: a whole round at
 * one moment never ends. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int a, b, left;

static void *writer(void *unused)
{
    atomic_store(&a, 1);
    atomic_store(&a, 0);
    atomic_store(&b, 1);
    return unused;
}

static void *reader(void *unused)
{
    while (!(atomic_load(&a) == 1 && atomic_load(&b) == 1)) {
    }
    atomic_store(&left, 1);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, writer, NULL);
    pthread_create(&second, NULL, reader, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
