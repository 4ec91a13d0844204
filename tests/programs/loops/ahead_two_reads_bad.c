/* EXPECT verdict=livelock exit=3 bound=0
 * Two reads of one location in a round. The loop ends with (0, 2) only, where the store comes
 * between the two: no moment exists at which a whole round would end. Begun later, it never
 * ends. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x;

static void *writer(void *unused)
{
    atomic_store(&x, 2);
    return unused;
}

static void *reader(void *unused)
{
    int p, q;
    do {
        p = atomic_load(&x);
        q = atomic_load(&x);
    } while (p == q);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
