/* EXPECT verdict=passed exit=0 complete=true executions=251 distinct=4
 * Two numbers, in any order. */
#define _FILE_OFFSET_BITS 64
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int first, second;
static FILE *file;

static void *open_first(void *unused)
{
    first = openat(AT_FDCWD, "/dev/null", O_RDONLY);
    fseeko(file, 1, SEEK_SET);
    return unused;
}

static void *open_second(void *unused)
{
    second = openat(AT_FDCWD, "/dev/null", O_RDONLY);
    ftello(file);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    file = fopen("/dev/null", "r");
    pthread_create(&a, NULL, open_first, NULL);
    pthread_create(&b, NULL, open_second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first != second); /* HERE */
    return 0;
}
