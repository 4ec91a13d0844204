/* EXPECT verdict=passed exit=0 executions=147 distinct=14 -- --bound 2
 * Atomics of 8 to 64 bits and all memory orders: fetch_add, fetch_sub, fetch_or, fetch_and,
 * fetch_xor, exchange, compare_exchange, load and store. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t byte;
static _Atomic uint16_t half;
static _Atomic uint32_t word;
static _Atomic uint64_t wide;

static void *worker(void *unused)
{
    atomic_fetch_add_explicit(&byte, 255, memory_order_relaxed); /* wraps: minus one */
    atomic_fetch_add_explicit(&half, 0x0101, memory_order_acq_rel);
    atomic_fetch_xor_explicit(&word, 0x80000000u, memory_order_release);
    uint64_t old = atomic_load_explicit(&wide, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&wide, &old, old + (UINT64_C(1) << 40),
                                                  memory_order_acq_rel, memory_order_acquire)) {
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    atomic_store_explicit(&byte, 2, memory_order_seq_cst);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&byte) == 0);
    assert(atomic_load(&half) == 0x0202); /* HERE */
    assert(atomic_fetch_or(&word, 1) == 0 && atomic_fetch_and(&word, 0) == 1);
    assert(atomic_exchange(&wide, 7) == UINT64_C(2) << 40 && atomic_fetch_sub(&wide, 1) == 7);
    return 0;
}
