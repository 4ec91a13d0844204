/* EXPECT verdict=assertion exit=1 bound=2
 * EXPECT verdict=assertion exit=1 bound=2 -- --idle-rounds=explore
 * EXPECT verdict=assertion exit=1 -- --strategy optimal --bound none
 * Two locations: the thread leaves with an old value of one and a new value of the other. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

/* Leaves with a = 1, read before it becomes 0, and b = 1. */
static void *wait_for_both(void *unused)
{
    for (;;) {
        int first = atomic_load(&a);
        int second = atomic_load(&b);
        if (first == 1 && second == 1)
            break;
        if (first == second)
            second = atomic_load(&b);
        if (atomic_load(&a) == 2)
            return unused;
    }
    assert(atomic_load(&b) != 1);
    return unused;
}

static void *change(void *unused)
{
    atomic_store(&a, 1);
    atomic_store(&a, 0);
    atomic_store(&b, 1);
    atomic_store(&a, 2);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, wait_for_both, NULL);
    pthread_create(&second, NULL, change, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
