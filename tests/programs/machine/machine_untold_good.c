/* EXPECT verdict=passed exit=0 complete=true
 * fxsave writes 512 bytes, and the byte that is written elsewhere is behind them. */
#include <pthread.h>

static char area[8192] __attribute__((aligned(64)));

__attribute__((noinline)) static void save(void)
{
    __asm__ volatile("fxsave %0" : "+m"(area) : "a"(7), "d"(0) : "memory");
}

static void *first(void *unused)
{
    save();
    return unused;
}

static void *second(void *unused)
{
    area[512] = 1;
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
