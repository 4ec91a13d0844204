/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- -DEVENT
 * EXPECT verdict=passed exit=0 complete=true -- -DSOCKET
 * EXPECT verdict=passed exit=0 complete=true -- --isolate=fork
 * A pipe that a constructor made, before main: threads wait for each other through it, and what one execution
 * leaves in it is not there in the next. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

__attribute__((constructor)) static void initialise(void)
{
#if defined EVENT
    ends[0] = ends[1] = eventfd(0, 0);
#elif defined SOCKET
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
#else
    assert(pipe(ends) == 0);
#endif
}

static void *send_twice(void *unused)
{
    uint64_t one = 1;
    write(ends[1], &one, sizeof one);
    write(ends[1], &one, sizeof one);
    return unused;
}

int main(void)
{
    pthread_t thread;
    uint64_t got = 0;
    pthread_create(&thread, NULL, send_twice, NULL);
    assert(read(ends[0], &got, sizeof got) == sizeof got);
#ifdef BAD
    assert(got == 1 && read(ends[0], &got, sizeof got) == sizeof got);
    assert(read(ends[0], &got, sizeof got) == sizeof got);
#endif
    pthread_join(thread, NULL);
    return got > 2;
}
