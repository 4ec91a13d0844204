/* EXPECT verdict=passed exit=0 complete=true
 * select() with a time-out in virtual time: it only runs out where nobody can write any more. */
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    sleep(1);
    assert(write(ends[1], "s", 1) == 1);
    return unused;
}

static int wait_readable(void)
{
    fd_set reads;
    struct timeval hour = {.tv_sec = 3600};
    FD_ZERO(&reads);
    FD_SET(ends[0], &reads);
    return select(ends[0] + 1, &reads, NULL, NULL, &hour);
}

int main(void)
{
    pthread_t thread;
    char byte;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    assert(wait_readable() == 1);
    assert(read(ends[0], &byte, 1) == 1);
    pthread_join(thread, NULL);
    assert(wait_readable() == 0);
    return 0;
}
