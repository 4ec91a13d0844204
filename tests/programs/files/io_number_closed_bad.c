/* EXPECT verdict=assertion exit=1 location=HERE
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy optimal
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy dpor
 * A thread relies on a descriptor being closed that another thread is about to close: after
 * that, nothing tells that the number stood for the pipe. */
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
    assert(write(tube[1], "x", 1) == -1 && errno == EBADF); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    if (pipe(tube))
        return 6;
    pthread_create(&a, NULL, closer, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
