/* EXPECT verdict=passed exit=0 executions=69 distinct=2 -- -mcx16 -latomic
 * A 128-bit pair is updated by one compare-exchange: the reader sees all of it or nothing.
 * (clang leaves a 128-bit access as an instruction: it is owned up to, and not complete.) */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    unsigned __int128 whole;
    uint64_t half[2];
} pair;

static void *writer(void *unused)
{
    unsigned __int128 old = 0, both = ((unsigned __int128)1 << 64) | 1;
    __atomic_compare_exchange_n(&pair.whole, &old, both, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return unused;
}

static void *reader(void *unused)
{
    unsigned __int128 seen = __atomic_load_n(&pair.whole, __ATOMIC_SEQ_CST);
    assert((uint64_t)seen == (uint64_t)(seen >> 64)); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
