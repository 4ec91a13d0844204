/* EXPECT verdict=livelock exit=3 bound=0 location=HERE
 * The writer sends one byte, the reader polls for two. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    assert(write(ends[1], "a", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char byte;
    assert(pipe2(ends, O_NONBLOCK) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        while (read(ends[0], &byte, 1) != 1) { /* HERE */
        }
    pthread_join(thread, NULL);
    return 0;
}
