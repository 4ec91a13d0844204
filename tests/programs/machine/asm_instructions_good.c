/* EXPECT verdict=passed exit=0 complete=true -- --visible add --visible set_bit --visible exchange_pair
 * Every kind of indivisible instruction, with operands relative to the instruction, to a
 * register, and by a bit's number: with --visible each is one operation and keeps its effect. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static long count;
static uint64_t bits[4];
static struct {
    uint64_t low, high;
} pair __attribute__((aligned(16)));

__attribute__((noinline)) static long add(long amount)
{
    __asm__ volatile("lock; xaddq %0, %1" : "+r"(amount), "+m"(count) : : "memory", "cc");
    return amount;
}

__attribute__((noinline)) static int set_bit(uint64_t *map, uint64_t bit)
{
    char before;
    __asm__ volatile("lock; btsq %2, (%1)\n\tsetc %0"
                     : "=q"(before)
                     : "r"(map), "r"(bit)
                     : "memory", "cc");
    return before;
}

__attribute__((noinline)) static void exchange_pair(void)
{
    uint64_t low = pair.low, high = pair.high;
    char done;
    do
        __asm__ volatile("lock; cmpxchg16b %1\n\tsetz %0"
                         : "=q"(done), "+m"(pair), "+a"(low), "+d"(high)
                         : "b"(low + 1), "c"(high + 2)
                         : "memory", "cc");
    while (!done);
}

static void *worker(void *argument)
{
    uint64_t me = (uint64_t)(uintptr_t)argument;
    add(5);
    assert(set_bit(bits, 64 * me + 7) == 0);
    exchange_pair();
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(add(0) == 10 && bits[1] == 128 && bits[2] == 128);
    assert(pair.low == 2 && pair.high == 4);
    return 0;
}
