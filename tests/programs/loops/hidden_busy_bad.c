/* EXPECT verdict=hang exit=4 bound=0
 * The same, but nobody closes the library. */
#include <pthread.h>

static int closed;

__attribute__((noinline, no_sanitize("thread"))) static int is_closed(void)
{
    return *(volatile int *)&closed;
}

__attribute__((noinline, no_sanitize("thread"))) static void close_library(void)
{
    *(volatile int *)&closed = 1;
}

static void *waiter(void *unused)
{
    while (!is_closed()) {
    }
    return unused;
}

static void *closer(void *unused)
{
    (void)close_library;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, closer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
