/* EXPECT verdict=memory-error exit=11
 * EXPECT verdict=memory-error exit=11 -- --strategy optimal
 * EXPECT verdict=memory-error exit=11 -- --races explore
 * One thread unmaps what another still writes to, and nothing orders them. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static int *shared;

static void *owner(void *unused)
{
    munmap(shared, 4096);
    return unused;
}

int main(void)
{
    pthread_t thread;
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&thread, NULL, owner, NULL);
    *shared = 1;
    pthread_join(thread, NULL);
    return 0;
}
