/* EXPECT verdict=assertion exit=1 bound=0 location=HERE
 * With 64-bit offsets headers give functions other names: openat64(), ftello64(), readdir64().
 * They are operations as well: the second thread may open its file first, or read first. */
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
    assert(first < second); /* HERE */
    return 0;
}
