/* EXPECT verdict=nothing-found exit=0
 * A loop waits for a flag, and gives up when a function without instrumentation, as of a library
 * that was not rebuilt, says that the library is closed. The flag never changes: the loop ends
 * because of what the library's other function has written, unseen. This is no livelock. */
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
    while (!atomic_load(&flag) && !is_closed()) {
    }
    return unused;
}

static void *closer(void *unused)
{
    close_library();
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
