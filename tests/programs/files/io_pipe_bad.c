/* EXPECT verdict=deadlock exit=2 bound=0 location=HERE
 * The writer forgets to close its end, so the reader waits for an end of file that never
 * comes. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char byte;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    while (read(ends[0], &byte, 1) == 1) { /* HERE */
    }
    pthread_join(thread, NULL);
    return 0;
}
