/* EXPECT verdict=data-race exit=7
 * EXPECT verdict=data-race exit=7 -- --strategy dpor
 * An acquire that may come before the release orders nothing then. */
#include <pthread.h>
#include <sanitizer/tsan_interface.h>

int data; /* not static: clang would see that it is never 2 */
static int token;

static void *writer(void *unused)
{
    data = 1;
    __tsan_release(&token);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    __tsan_acquire(&token);
    int seen = data;
    pthread_join(thread, NULL);
    return seen == 2;
}
