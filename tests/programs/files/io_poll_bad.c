/* EXPECT verdict=deadlock exit=2
 * poll without a time limit on pipes into which nobody writes in one case. */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];

static void *writer(void *unused)
{
    struct pollfd mine = {.fd = first[0], .events = POLLIN};
    if (poll(&mine, 1, 0) == 1)
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
