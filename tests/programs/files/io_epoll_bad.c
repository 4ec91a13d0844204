/* EXPECT verdict=deadlock exit=2 bound=0 location=HERE
 * The loop takes one event per wake-up of an edge-triggered set and leaves the rest in the pipe:
 * two writes before the first wake-up are one edge. */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
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
    int epoll = epoll_create1(0);
    assert(pipe(ends) == 0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    for (int got = 0; got < 2; got++) {
        char byte;
        assert(epoll_wait(epoll, &event, 1, -1) == 1); /* HERE */
        assert(read(ends[0], &byte, 1) == 1);
    }
    pthread_join(thread, NULL);
    return 0;
}
