/* EXPECT verdict=data-race exit=7 bound=0
 * The number of a bit in a register leads to a word far from the operand: here, the one that
 * the other thread writes. */
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
    words[5] = 1;
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
