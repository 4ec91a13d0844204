/* EXPECT verdict=passed exit=0 complete=true
 * It is unmapped when the writer is done. What threads map lies at the same addresses whoever
 * comes first. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static void *place[2];

static void *work(void *argument)
{
    void **mine = argument;
    int *block = *mine =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *block = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, &place[0]);
    pthread_create(&b, NULL, work, &place[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(place[0] < place[1]);
    munmap(place[0], 4096);
    munmap(place[1], 4096);
    return 0;
}
