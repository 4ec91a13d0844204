/* EXPECT verdict=assertion exit=1 bound=1 location=HERE
 * select(3p): the number of a closed descriptor is an error, EBADF, and nothing that is not
 * ready. Here a thread closes the descriptor that the main thread asks for, maybe before. */
#include <assert.h>
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
    assert(select(ends[0] + 1, &reads, NULL, NULL, &none) == 0); /* HERE */
    pthread_join(thread, NULL);
    return 0;
}
