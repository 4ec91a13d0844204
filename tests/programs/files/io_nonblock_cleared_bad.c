/* EXPECT verdict=deadlock exit=2 -- -DREADS
 * EXPECT verdict=deadlock exit=2 -- -DWRITES
 * A descriptor that does not block becomes one that does, maybe just before the call: then it
 * waits for somebody who never comes. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#ifndef IN_ORDER
#define IN_ORDER false
#endif

static int ends[2];
static char page[4096];

#ifdef READS
#define END  0
#define CALL read(ends[0], page, 1)
#else
#define END  1
#define CALL write(ends[1], page, sizeof page)
#endif

static void *clearer(void *unused)
{
    fcntl(ends[END], F_SETFL, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(pipe2(ends, O_NONBLOCK) == 0);
    if (END == 1)
        while (write(ends[1], page, sizeof page) > 0) {
        }
    if (IN_ORDER)
        assert(CALL == -1);
    pthread_create(&thread, NULL, clearer, NULL);
    if (!IN_ORDER)
        assert(CALL == -1);
    pthread_join(thread, NULL);
    return 0;
}
