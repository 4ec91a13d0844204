/* EXPECT verdict=passed exit=0 complete=true
 * A write larger than the pipe waits for the reader and arrives whole. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define SIZE 150000

static int ends[2];
static char sent[SIZE], got[SIZE];

static void *writer(void *unused)
{
    memset(sent, 'm', SIZE);
    assert(write(ends[1], sent, SIZE) == SIZE);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    size_t size = 0;
    ssize_t n;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    while ((n = read(ends[0], got + size, SIZE - size)) > 0)
        size += (size_t)n;
    pthread_join(thread, NULL);
    assert(size == SIZE && memcmp(sent, got, SIZE) == 0);
    return 0;
}
