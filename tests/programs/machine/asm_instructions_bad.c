/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --visible add
 * EXPECT verdict=data-race exit=7 bound=0 -- --visible add_at_once -DAT_ONCE
 * An addition in assembly, as a load and a store between which another thread runs; and as one
 * instruction without the lock prefix, which is no better on two processors: a data race. */
#include <assert.h>
#include <pthread.h>

static long count;

__attribute__((noinline, used)) static void add(long amount)
{
    long sum;
    __asm__ volatile("movq %1, %0\n\taddq %2, %0\n\tmovq %0, %1"
                     : "=&r"(sum), "+m"(count)
                     : "r"(amount)
                     : "memory", "cc");
}

__attribute__((noinline, used)) static void add_at_once(long amount)
{
    __asm__ volatile("addq %1, %0" : "+m"(count) : "r"(amount) : "memory", "cc");
}

static void *worker(void *unused)
{
#ifdef AT_ONCE
    add_at_once(5);
#else
    add(5);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(count == 10); /* HERE */
    return 0;
}
