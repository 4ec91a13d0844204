/* EXPECT verdict=passed exit=0 complete=true
 * The number of a bit in a register leads to another word than the one that is written. */
#include <pthread.h>

static long words[8];

__attribute__((noinline)) static void set(long bit)
{
    __asm__ volatile("btsq %1, %0" : "+m"(words[0]) : "r"(bit) : "memory", "cc");
}

static void *first(void *unused)
{
    set(64 * 5 + 3);
    return unused;
}

static void *second(void *unused)
{
    words[0] = 1;
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
