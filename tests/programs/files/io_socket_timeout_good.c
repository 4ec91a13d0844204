/* EXPECT verdict=passed exit=0 complete=true
 * SO_RCVTIMEO: when nobody sends, recv() gives up, and the program knows. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>

static int end[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stopped;

static void *sender(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (!stopped)
        assert(send(end[1], "x", 1, 0) == 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *stopper(void *unused)
{
    pthread_mutex_lock(&mutex);
    stopped = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    char byte;
    struct timeval limit = {.tv_sec = 1};
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, end) == 0);
    assert(setsockopt(end[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, stopper, NULL);
    ssize_t got = recv(end[0], &byte, 1, 0);
    assert(got == 1 || (got < 0 && errno == EAGAIN));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
