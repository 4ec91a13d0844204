/* EXPECT verdict=passed exit=0 complete=true distinct=4
 * The same, where a stays set: a thread that waits for b is not stuck. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int a, b, left;

static void *writer(void *unused)
{
    atomic_store(&a, 1);
    atomic_store(&a, 1);
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
