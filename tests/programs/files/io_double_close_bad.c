/* EXPECT verdict=assertion exit=1 executions=74 distinct=42
 * EXPECT verdict=assertion exit=1 executions=12 distinct=12 -- --strategy optimal
 * A descriptor is closed twice: the second time it is another thread's, which has been given
 * the same number in between. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *closer(void *unused)
{
    int fd = open("/dev/null", O_WRONLY);
    close(fd);
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
