/* EXPECT verdict=passed exit=0 complete=true
 * A reader that does not block tries again and again, first with poll() and no time-out, then
 * with read(): both loops are idle until somebody writes. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    assert(write(ends[1], "a", 1) == 1);
    assert(write(ends[1], "b", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char byte;
    assert(pipe2(ends, O_NONBLOCK) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    struct pollfd set = {.fd = ends[0], .events = POLLIN};
    while (poll(&set, 1, 0) == 0) {
    }
    assert(read(ends[0], &byte, 1) == 1 && byte == 'a');
    while (read(ends[0], &byte, 1) != 1)
        assert(errno == EAGAIN);
    assert(byte == 'b');
    pthread_join(thread, NULL);
    return 0;
}
