/* EXPECT verdict=passed exit=0 complete=true distinct=5
 * The same loop, which also ends when it is begun after the store. */
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
    } while (p == q && p != 2);
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
