/* EXPECT verdict=data-race exit=7 bound=0
 * repne scasb reads up to the byte that it looks for, which another thread writes behind. */
#include <pthread.h>

static char text[16] = "abcxefgh";

__attribute__((noinline)) static long scan(void)
{
    void *at = text;
    long count = 8;
    __asm__ volatile("repne scasb" : "+D"(at), "+c"(count) : "a"('d') : "memory", "cc");
    return count;
}

static void *first(void *unused)
{
    scan();
    return unused;
}

static void *second(void *unused)
{
    text[5] = 1;
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
