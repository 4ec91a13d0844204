/* EXPECT verdict=assertion exit=1 bound=3
 * EXPECT verdict=assertion exit=1 bound=3 -- --idle-rounds=explore
 * EXPECT verdict=assertion exit=1 -- --strategy optimal --bound none
 * With one value the thread uses what a failed attempt has read. To leave it after that attempt
 * costs a preemption, although with other values the attempt is redundant. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *increment(void *unused)
{
    int last = 0;
    for (;;) {
        int old = atomic_load(&count);
        if (old == 7)
            assert(last != 5);
        else
            last = 0;
        __asm__ volatile("" : "+m"(last)); /* also where nothing uses it */
        if (atomic_compare_exchange_strong(&count, &old, old + 1))
            return unused;
        last = old;
    }
}

static void *change(void *unused)
{
    atomic_store(&count, 5);
    atomic_store(&count, 7);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
