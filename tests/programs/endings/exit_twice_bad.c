/* EXPECT verdict=exit exit=1
 * EXPECT verdict=exit exit=1 -- --strategy optimal
 * EXPECT verdict=exit exit=1 -- --strategy dpor
 * Two threads end the program; the one that comes second waits for the end, so that the status
 * is the first one's. */
#include <pthread.h>
#include <stdlib.h>

static void *succeed(void *unused)
{
    exit(0);
    return unused;
}

static void *fail(void *unused)
{
    exit(3);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, succeed, NULL);
    pthread_create(&b, NULL, fail, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
