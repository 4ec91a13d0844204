/* EXPECT verdict=deadlock exit=2 bound=0
 * The writer fills the pipe while the only reader waits for it to end. */
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static char data[150000];

static void *writer(void *unused)
{
    ssize_t n = write(ends[1], data, sizeof data);
    (void)n;
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_join(thread, NULL);
    return read(ends[0], data, 1) != 1;
}
