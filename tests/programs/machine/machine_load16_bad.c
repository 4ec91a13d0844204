/* EXPECT verdict=passed exit=0 complete=false -- -mcx16 -latomic
 * The same, and behind it such an instruction of the program itself, for another object: named. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long first, second;
};

static _Atomic struct pair pair;
static struct pair other __attribute__((aligned(16)));

static long load_other(void)
{
    long first = 0, second = 0;
    __asm__ volatile("lock cmpxchg16b %2"
                     : "+a"(first), "+d"(second), "+m"(other)
                     : "b"(0L), "c"(0L)
                     : "cc");
    return first + second;
}

static void *change(void *unused)
{
    atomic_store(&pair, ((struct pair){1, 1}));
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    struct pair seen = atomic_load(&pair);
    seen.second += load_other();
    pthread_join(thread, NULL);
    assert(seen.first == seen.second);
    return 0;
}
