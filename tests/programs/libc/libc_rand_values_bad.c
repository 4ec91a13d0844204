/* EXPECT verdict=assertion exit=1 bound=0 location=HERE
 * A number that libc does not give with this seed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int order;

static void *other(void *unused)
{
    atomic_fetch_add(&order, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(rand() == 1804289383 && rand() == 846930886);
    srand(42);
    assert(rand() == 71876167); /* HERE */
    srand48(1);
    assert(lrand48() == 89400484);
    pthread_create(&thread, NULL, other, NULL);
    atomic_fetch_add(&order, 1);
    pthread_join(thread, NULL);
    return 0;
}
