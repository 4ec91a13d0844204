/* EXPECT verdict=passed exit=0 complete=true
 * Two threads end the program; the one that comes second waits for the end, and both
 * say the same. */
#include <pthread.h>
#include <stdlib.h>

static void *succeed(void *unused)
{
    exit(0);
    return unused;
}

static void *succeed_too(void *unused)
{
    exit(0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, succeed, NULL);
    pthread_create(&b, NULL, succeed_too, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
