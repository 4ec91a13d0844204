/* EXPECT verdict=hang exit=4 bound=0 -- --hang 1s
 * As in hidden_busy_good.c, but nobody closes the library. */
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
#ifdef CLOSES
    close_library();
#else
    (void)close_library;
#endif
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
