/* EXPECT verdict=assertion exit=1 bound=1 executions=6 distinct=3 -- --scratch .
 * EXPECT verdict=assertion exit=1 executions=4 distinct=4 -- --scratch . --strategy optimal
 * What is in a file is shared by all threads: the reader may come between the making of the
 * file and the writing. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *write_file(void *unused)
{
    int file = open("file", O_CREAT | O_WRONLY, 0600);
    assert(write(file, "x", 1) == 1);
    close(file);
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
