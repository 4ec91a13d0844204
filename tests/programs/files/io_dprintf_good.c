/* EXPECT verdict=passed exit=0 complete=true distinct=1
 * A pipe that is written by dprintf() and read where it blocks. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int end[2];

static void *writer(void *unused)
{
    assert(dprintf(end[1], "%d", 42) == 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char text[8] = "";
    assert(pipe(end) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(end[0], text, sizeof text) == 2 && strcmp(text, "42") == 0);
    pthread_join(thread, NULL);
    return 0;
}
