/* EXPECT verdict=assertion exit=1 bound=0
 * More mappings before main than an old table had room for: one that does not begin with zero. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

#define COUNT 6000
#define PAGE  4096

#ifndef FIRST
#define FIRST 1
#endif

static int *cell[COUNT];

__attribute__((constructor)) static void map_all(void)
{
    for (int i = 0; i < COUNT; i++) {
        char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                           -1, 0);
        mprotect(pages + PAGE, PAGE, PROT_NONE);
        cell[i] = (int *)pages;
    }
    *cell[COUNT - 1] = FIRST;
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, nothing, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < COUNT; i++)
        assert(++*cell[i] == 1);
    return 0;
}
