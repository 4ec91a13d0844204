/* EXPECT verdict=assertion exit=1 bound=0 executions=3 distinct=2
 * EXPECT verdict=assertion exit=1 executions=2 distinct=2 -- --strategy optimal
 * Two threads read from one descriptor: who comes first gets the first byte. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;
static char seen[2];

static void *work(void *argument)
{
    assert(read(file, argument, 1) == 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    file = open("/proc/self/exe", O_RDONLY); /* begins with 0x7f, 'E', 'L', 'F' */
    pthread_create(&a, NULL, work, &seen[0]);
    pthread_create(&b, NULL, work, &seen[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen[0] == 0x7f && seen[1] == 'E');
    close(file);
    return 0;
}
