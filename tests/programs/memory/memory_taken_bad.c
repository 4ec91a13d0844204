/* EXPECT verdict=data-race exit=7 -- -DPROTECT=PROT_READ
 * EXPECT verdict=data-race exit=7 -- -DPROTECT=PROT_NONE --strategy dpor
 * EXPECT verdict=data-race exit=7
 * EXPECT verdict=data-race exit=7 -- --strategy dpor
 * Memory that one thread writes while another one takes it away: by its protection, or by another mapping in its
 * place. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static char *page;

static void *take(void *unused)
{
#ifdef PROTECT
    mprotect(page, 4096, PROTECT);
#else
    mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[0] = 1;
    pthread_create(&thread, NULL, take, NULL);
#ifdef GOOD
    pthread_join(thread, NULL);
    return *(volatile char *)page == 5;
#endif
    page[0] = 2;
    pthread_join(thread, NULL);
}
