/* libevent: a thread writes into a socketpair, the loop of main reads it with epoll. */
#include <assert.h>
#include <event2/event.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2], got;

static void on_read(evutil_socket_t fd, short what, void *base)
{
    (void)what;
    char byte;
    got = read(fd, &byte, 1) == 1 ? byte : -1;
    event_base_loopbreak(base);
}

static void *writer(void *unused)
{
    assert(write(pair[1], "e", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    struct event_base *base = event_base_new();
    struct event *event = event_new(base, pair[0], EV_READ, on_read, base);
    event_add(event, NULL);
    pthread_create(&thread, NULL, writer, NULL);
    event_base_dispatch(base);
    pthread_join(thread, NULL);
    assert(got == 'e');
    event_free(event);
    event_base_free(base);
    return 0;
}
