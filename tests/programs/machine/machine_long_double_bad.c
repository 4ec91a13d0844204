/* EXPECT verdict=data-race exit=7 bound=0
 * clang does not announce accesses to long doubles. */
#include <pthread.h>

static long double total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
    total += 1;
    return unused;
}

#define second first

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
