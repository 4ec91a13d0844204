/* EXPECT verdict=passed exit=0 complete=true executions=251 distinct=6
 * Closed once: the numbers go round, and nobody minds. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *closer(void *unused)
{
    int fd = open("/dev/null", O_WRONLY);
    close(fd);
    return unused;
}

static void *writer(void *unused)
{
    int fd = open("/dev/null", O_WRONLY);
    assert(write(fd, "x", 1) == 1);
    assert(close(fd) == 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, closer, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
