/* EXPECT verdict=passed exit=0 complete=true
 * How much there is to read, asked when all has been written. */
#include <assert.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int end[2];

static void *writer(void *unused)
{
    assert(write(end[1], "ab", 2) == 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int amount = -1;
    assert(pipe(end) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    pthread_join(thread, NULL);
    assert(ioctl(end[0], FIONREAD, &amount) == 0);
    assert(amount == 2);
    return 0;
}
