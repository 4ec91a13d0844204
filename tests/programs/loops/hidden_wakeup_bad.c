/* EXPECT verdict=livelock exit=3 bound=0 location=HERE
 * As in hidden_wakeup_good.c, but nobody closes the library. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
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
    while (!atomic_load(&flag) && !is_closed()) { /* HERE */
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

int main(int count, char **arguments)
{
    pthread_t a, b;
    if (count > 5)
        atomic_store(&flag, arguments[0][0]);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, closer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
