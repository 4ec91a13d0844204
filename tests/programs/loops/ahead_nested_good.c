/* EXPECT verdict=passed exit=0 complete=true distinct=2
 * The same, without the wrong assertion. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int y, z, go;

static void *writer(void *unused)
{
    atomic_store(&y, 1);
    atomic_store(&z, 1);
    return unused;
}

static void *reader(void *unused)
{
    int before, after;
    atomic_store(&go, 1);
    do {
        before = atomic_load(&y);
        while (atomic_load(&z) == 0) {
        }
        after = atomic_load(&y);
    } while (before != after);
    assert(before == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
