/* EXPECT verdict=passed exit=0 complete=true
 * Work items through a pipe: the reader blocks until there is one, and the end of file comes
 * when the writer closes its end. What was written before the write is seen after the read. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int payload;

static void *writer(void *unused)
{
    payload = 42;
    assert(write(ends[1], "x", 1) == 1);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char byte;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(ends[0], &byte, 1) == 1);
    assert(byte == 'x' && payload == 42);
    assert(read(ends[0], &byte, 1) == 0);
    pthread_join(thread, NULL);
    return 0;
}
