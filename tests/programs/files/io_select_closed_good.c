/* EXPECT verdict=passed exit=0 complete=true
 * The descriptor is closed before select() is called: EBADF, and the set is as it was. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *closer(void *unused)
{
    close(ends[0]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    fd_set reads;
    struct timeval none = {0};
    assert(pipe(ends) == 0);
    FD_ZERO(&reads);
    FD_SET(ends[0], &reads);
    pthread_create(&thread, NULL, closer, NULL);
    pthread_join(thread, NULL);
    assert(select(ends[0] + 1, &reads, NULL, NULL, &none) == -1 && errno == EBADF);
    assert(FD_ISSET(ends[0], &reads));
    return 0;
}
