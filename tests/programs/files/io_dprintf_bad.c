/* EXPECT verdict=assertion exit=1 bound=0 location=HERE
 * The reader does not wait for what dprintf() writes. */
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
    assert(fcntl(end[0], F_SETFL, O_NONBLOCK) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(end[0], text, sizeof text) == 2 && strcmp(text, "42") == 0); /* HERE */
    pthread_join(thread, NULL);
    return 0;
}
