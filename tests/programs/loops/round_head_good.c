/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --idle-rounds=explore
 * The same with the reads in the other order: x is read after y. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *reader(void *unused)
{
    int first, second;
    do {
        second = atomic_load(&y);
        first = atomic_load(&x);
    } while (!second);
    assert(first);
    return unused;
}

static void *writer(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
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
