/* EXPECT verdict=passed exit=0 complete=true
 * Two threads add to an eventfd, main polls and reads until it has both. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *adder(void *unused)
{
    uint64_t one = 1;
    assert(write(event, &one, sizeof one) == sizeof one);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    uint64_t sum = 0, value;
    event = eventfd(0, EFD_NONBLOCK);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, adder, NULL);
    while (sum < 2) {
        struct pollfd set = {.fd = event, .events = POLLIN};
        assert(poll(&set, 1, -1) == 1 && set.revents == POLLIN);
        assert(read(event, &value, sizeof value) == sizeof value);
        sum += value;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
