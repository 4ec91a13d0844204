/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * The descriptor is closed before the other thread is there. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static int tube[2];

static void *closer(void *unused)
{
    close(tube[1]);
    return unused;
}

static void *writer(void *unused)
{
    assert(write(tube[1], "x", 1) == -1 && errno == EBADF);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    if (pipe(tube))
        return 6;
    pthread_create(&a, NULL, closer, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(b, NULL);
    return 0;
}
