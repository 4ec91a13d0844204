/* EXPECT verdict=passed exit=0
 * The local variable that a failed round writes is not the one that another thread reads. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, state, done;
static int *shared;
static volatile int seen;

static void *reader(void *unused)
{
    while (!atomic_load(&ready))
        ;
    seen = *shared;
    atomic_store(&done, 1);
    return unused;
}

static void *opener(void *unused)
{
    atomic_store(&state, 1);
    return unused;
}

__attribute__((noinline)) static void await(void)
{
    int rounds = 0, kept = 0;
    shared = &kept;
    atomic_store(&ready, 1);
    while (atomic_load(&state) != 1)
        rounds = 0;
    while (!atomic_load(&done))
        ;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, opener, NULL);
    await();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
