/* EXPECT verdict=passed exit=0 complete=true
 * An event loop: two pipes in one epoll set, each written by its own thread; the loop reads
 * whatever is ready until both have ended. */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2][2];

static void *writer(void *end)
{
    assert(write(*(int *)end, "e", 1) == 1);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    int epoll = epoll_create1(0), got = 0;
    for (int i = 0; i < 2; i++) {
        assert(pipe(ends[i]) == 0);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = ends[i][0]};
        assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i][0], &event) == 0);
        pthread_create(&thread[i], NULL, writer, &ends[i][1]);
    }
    while (got < 2) {
        struct epoll_event ready[2];
        int n = epoll_wait(epoll, ready, 2, -1);
        assert(n > 0);
        for (int i = 0; i < n; i++) {
            char byte;
            assert(read(ready[i].data.fd, &byte, 1) == 1 && byte == 'e');
            got++;
        }
    }
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
