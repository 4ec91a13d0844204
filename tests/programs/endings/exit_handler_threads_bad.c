/* EXPECT verdict=data-race exit=7
 * main returns: its exit handler reads what a thread may be writing. */
#include <pthread.h>
#include <stdlib.h>

int value; /* not static: clang would see that it is never 2 */

static void look(void)
{
    if (value == 2)
        _Exit(3);
}

static void *worker(void *unused)
{
    value = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    atexit(look);
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
