/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- -mcx16 -latomic
 * A 128-bit pair is updated by two atomic 64-bit stores instead of one 128-bit operation; the
 * reader, whose own load is atomic, sees half of it after one preemption of the writer. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    unsigned __int128 whole;
    uint64_t half[2];
} pair;

static void *writer(void *unused)
{
    __atomic_store_n(&pair.half[0], 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&pair.half[1], 1, __ATOMIC_SEQ_CST);
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
