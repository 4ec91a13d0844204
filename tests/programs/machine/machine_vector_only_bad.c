/* EXPECT verdict=data-race exit=7 bound=0 -- -mavx
 * clang announces no vector of 32 bytes, and the function has nothing else to announce. */
#include <pthread.h>

typedef int vector __attribute__((vector_size(32)));
static int table[16] __attribute__((aligned(32)));
static volatile int got;

__attribute__((noinline)) static void store(void)
{
    *(vector *)table = (vector){1, 2, 3};
}

static void *first(void *unused)
{
    store();
    return unused;
}

static void *second(void *unused)
{
    got = table[7];
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
