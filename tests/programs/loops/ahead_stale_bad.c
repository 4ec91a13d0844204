/* EXPECT verdict=assertion exit=1 bound=0
 * The same with a wrong assertion about the round that ends. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x;
static bool ended;

static void *writer(void *unused)
{
    atomic_store(&x, 2);
    return unused;
}

static void *reader(void *unused)
{
    while (atomic_load(&x) != 2)
        if (atomic_fetch_or(&x, 0) == 0)
            return unused;
    assert(ended);
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
