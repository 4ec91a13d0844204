/* EXPECT verdict=crash exit=1 bound=0 says=signal_13
 * A write to a pipe that nobody reads any more kills the process: SIGPIPE. */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused)
{
    close(ends[0]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    return write(ends[1], "x", 1) == 1;
}
