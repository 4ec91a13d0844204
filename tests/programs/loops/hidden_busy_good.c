/* EXPECT verdict=passed exit=0 complete=false
 * A loop without any operation waits for what a function without instrumentation returns. It is
 * stopped so that the other thread can run; what that thread writes is not seen, but the loop
 * must get another chance before it is called a hang. */
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
    close_library();
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
