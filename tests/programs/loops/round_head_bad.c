/* EXPECT verdict=assertion exit=1 bound=1
 * EXPECT verdict=assertion exit=1 bound=1 -- -O0
 * EXPECT verdict=assertion exit=1 bound=1 -- -O2
 * EXPECT verdict=assertion exit=1 bound=1 -- --idle-rounds=explore
 * A thread that waits in a loop of several reads is free to be left between two rounds, not in
 * the middle of one: x is read before the writer begins, y after that. Which of the reads is the
 * first one to recur in the same local state depends on what the compiler leaves in dead
 * registers; the number of preemptions must not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *reader(void *unused)
{
    int first, second;
    do {
        first = atomic_load(&x);
        second = atomic_load(&y);
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
