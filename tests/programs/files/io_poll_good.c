/* EXPECT verdict=passed exit=0
 * poll and ppoll on two pipes: the thread is disabled until one is ready. */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];

static void *writer(void *unused)
{
    assert(write(second[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char byte;
    assert(pipe(first) == 0 && pipe(second) == 0);
    struct pollfd both[2] = {{.fd = first[0], .events = POLLIN},
                             {.fd = second[0], .events = POLLIN}};
    pthread_create(&thread, NULL, writer, NULL);
    assert(write(first[1], "y", 1) == 1);
    both[0].fd = -1;
    assert(ppoll(both, 2, NULL, NULL) == 1 && both[1].revents == POLLIN);
    assert(read(second[0], &byte, 1) == 1 && byte == 'x');
    pthread_join(thread, NULL);
    return 0;
}
