/* EXPECT verdict=passed exit=0 complete=false
 * EXPECT verdict=passed exit=0 complete=true -- --visible set
 * A store in assembly may be meant as a release: no race is claimed, but nothing is complete
 * unless its function is made visible. */
#include <pthread.h>

#define UNSEEN
static long word, copy;

UNSEEN __attribute__((noinline)) void set(void);
void set(void)
{
    __asm__ volatile("movq $1, %0" : "=m"(word) : : "memory");
}

static void *first(void *unused)
{
    set();
    return unused;
}

static void *second(void *unused)
{
    copy = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
