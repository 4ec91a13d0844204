/* EXPECT verdict=passed exit=0 complete=true executions=420 distinct=5 -- --scratch .
 * The file gets its name when it is whole. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *write_file(void *unused)
{
    int file = open("new", O_CREAT | O_WRONLY, 0600);
    assert(write(file, "x", 1) == 1);
    close(file);
    assert(rename("new", "file") == 0);
    return unused;
}

static void *read_file(void *unused)
{
    char byte;
    int file = open("file", O_RDONLY);
    if (file >= 0)
        assert(read(file, &byte, 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, write_file, NULL);
    pthread_create(&b, NULL, read_file, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
