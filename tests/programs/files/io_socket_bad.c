/* EXPECT verdict=deadlock exit=2 bound=0
 * Both sides of a connection wait for the other one to speak first. */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *other(void *unused)
{
    char byte;
    if (read(pair[1], &byte, 1) == 1)
        assert(write(pair[1], &byte, 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char byte;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pthread_create(&thread, NULL, other, NULL);
    if (read(pair[0], &byte, 1) == 1)
        assert(write(pair[0], &byte, 1) == 1);
    pthread_join(thread, NULL);
    return 0;
}
