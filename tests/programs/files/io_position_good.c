/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=1
 * Each says where it reads. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;
static char seen[2];

static void *work(void *argument)
{
    assert(pread(file, argument, 1, (char *)argument - seen) == 1);
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
