/* EXPECT verdict=assertion exit=1 bound=2
 * EXPECT verdict=assertion exit=1 bound=2 -- -O0
 * EXPECT verdict=assertion exit=1 bound=2 -- -O2
 * EXPECT verdict=assertion exit=1 bound=2 -- --idle-rounds=explore
 * A thread in the middle of a round of three reads, one of which is out of date, is not free to
 * wait: run alone it would go round and come out. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *reader(void *unused)
{
    int first, second, third;
    do {
        first = atomic_load(&x);
        second = atomic_load(&y);
        third = atomic_load(&z);
    } while (first != third || second != 1);
    assert(first != 0);
    return unused;
}

static void *writer(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    atomic_store(&z, 1);
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
