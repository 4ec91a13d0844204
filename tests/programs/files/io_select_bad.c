/* EXPECT verdict=assertion exit=1 bound=1 location=HERE
 * Two readers were told that there is something to read, and there is one byte: the second read
 * of a descriptor that does not block fails. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused)
{
    char byte;
    fd_set reads;
    struct timeval hour = {.tv_sec = 3600};
    FD_ZERO(&reads);
    FD_SET(ends[0], &reads);
    if (select(ends[0] + 1, &reads, NULL, NULL, &hour) == 1)
        assert(read(ends[0], &byte, 1) == 1); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    assert(pipe2(ends, O_NONBLOCK) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, reader, NULL);
    assert(write(ends[1], "x", 1) == 1);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
