/* EXPECT verdict=crash exit=1 -- -DPROTECT
 * EXPECT verdict=crash exit=1 -- -DUNMAP
 * EXPECT verdict=assertion exit=1 -- -DDISCARD
 * EXPECT verdict=assertion exit=1 -- -DREPLACE
 * What the program does to the mappings of its own pages is seen by its other threads, and undone
 * after the execution: every one begins with the page as it was. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#define PAGE 4096

static char page[2 * PAGE] __attribute__((aligned(PAGE))) = {7};
static atomic_int ready;

static void *user(void *unused)
{
    if (atomic_load(&ready))
        assert(++*(volatile char *)page == 8);
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(page[0] == 7 && page[PAGE] == 0);
    page[PAGE] = 1;
    pthread_create(&thread, NULL, user, NULL);
#ifdef IN_ORDER
    pthread_join(thread, NULL);
#endif
#if defined PROTECT
    mprotect(page, PAGE, PROT_READ);
#elif defined UNMAP
    munmap(page, PAGE);
#elif defined DISCARD
    madvise(page, PAGE, MADV_DONTNEED);
    page[0] = 0;
#else
    mmap(page, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
#endif
    atomic_store(&ready, 1);
#ifndef IN_ORDER
    pthread_join(thread, NULL);
#endif
    return 0;
}
