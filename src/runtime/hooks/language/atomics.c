/* C11 and C++ atomics: the __tsan_atomic* calls that the compiler emits (8 to 128 bits).
 *
 * Exploration is sequentially consistent: each operation is executed whole, in the order of the
 * schedule. Only the race detector uses the memory order. A failed compare-exchange is a read.
 * Weak ones never fail spuriously. */
#include "runtime/access/access.h"
#include "runtime/access/atomic.h"
#include "runtime/access/store_buffers.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/race/race.h"

#define ATOMIC_LOAD(bits, type)                                                                \
    type __tsan_atomic##bits##_load_hook(const volatile type *a, int order);                   \
    FIBER_STUB(__tsan_atomic##bits##_load);                                                    \
    type __tsan_atomic##bits##_load_hook(const volatile type *a, int order)                    \
    {                                                                                          \
        if (!rt.on)                                                                            \
            return RAW_LOAD(type, a);                                                          \
        if (counted_passes(ADDRESS(a), bits / 8, order, CALLER))                               \
            return *a;                                                                         \
        struct op op = atomic_begin(OP_LOAD, OP_READS, ADDRESS(a), bits / 8, order, CALLER);   \
        type value = *a;                                                                       \
        atomic_end_load(&op, ADDRESS(a), bits / 8, order, (uint64_t)value, CALLER);            \
        return value;                                                                          \
    }

#define ATOMIC_STORE(bits, type)                                                               \
    void __tsan_atomic##bits##_store_hook(volatile type *a, type value, int order);            \
    FIBER_STUB(__tsan_atomic##bits##_store);                                                   \
    void __tsan_atomic##bits##_store_hook(volatile type *a, type value, int order)             \
    {                                                                                          \
        if (!rt.on) {                                                                          \
            RAW_STORE(type, a, value);                                                         \
            return;                                                                            \
        }                                                                                      \
        struct op op = atomic_begin_with(OP_STORE, OP_WRITES, ADDRESS(a), bits / 8, order,     \
                                         CALLER, (uint64_t)value);                             \
        type before = *a;                                                                      \
        *a = value;                                                                            \
        atomic_end_store(&op, ADDRESS(a), bits / 8, order, (uint64_t)before, (uint64_t)value,  \
                         CALLER);                                                              \
    }

/* `changes`: does it store a different value, whatever the old value is? */
#define ATOMIC_RMW(bits, type, name, expression, changes, raw)                                 \
    type __tsan_atomic##bits##_##name##_hook(volatile type *a, type value, int order);         \
    FIBER_STUB(__tsan_atomic##bits##_##name);                                                  \
    type __tsan_atomic##bits##_##name##_hook(volatile type *a, type value, int order)          \
    {                                                                                          \
        if (!rt.on)                                                                            \
            return raw;                                                                        \
        int flags = OP_READS | OP_WRITES | ((changes) ? ATOMIC_CHANGES : 0);                   \
        struct op op = atomic_begin_with(OP_RMW, flags, ADDRESS(a), bits / 8, order, CALLER,   \
                                         (uint64_t)value);                                     \
        type before = *a;                                                                      \
        type after = (type)(expression);                                                       \
        *a = after;                                                                            \
        atomic_end_rmw(&op, ADDRESS(a), bits / 8, order, (uint64_t)before, (uint64_t)after,    \
                       CALLER);                                                                \
        return before;                                                                         \
    }

/* C11 7.17.7.4: `expected` is read, and written when the comparison fails; the compiler leaves
 * both plain accesses to this function. */
#define ATOMIC_CAS(bits, type, name)                                                           \
    int __tsan_atomic##bits##_compare_exchange_##name##_hook(                                  \
        volatile type *a, type *expected, type desired, int order, int failure);               \
    FIBER_STUB(__tsan_atomic##bits##_compare_exchange_##name);                                 \
    int __tsan_atomic##bits##_compare_exchange_##name##_hook(                                  \
        volatile type *a, type *expected, type desired, int order, int failure)                \
    {                                                                                          \
        if (!rt.on)                                                                            \
            return RAW_CAS(type, a, expected, desired);                                        \
        access_read(ADDRESS(expected), bits / 8, CALLER);                                      \
        type before = cas##bits(a, *expected, desired, order, failure, CALLER);                \
        bool same = before == *expected;                                                       \
        if (!same) {                                                                           \
            access_write(ADDRESS(expected), bits / 8, CALLER);                                 \
            *expected = before;                                                                \
        }                                                                                      \
        return same;                                                                           \
    }

#define MIX_OPERANDS(a, b) ((uint64_t)(a)*UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(b))

#define ATOMIC_CAS_COMMON(bits, type)                                                          \
    static type cas##bits(volatile type *a, type expected, type desired, int order,            \
                          int failure, uint64_t pc)                                            \
    {                                                                                          \
        if (UNLIKELY(rt.rushing) && counted_is_read(ADDRESS(a), pc) && *a != expected) {       \
            counted_read(ADDRESS(a), bits / 8, failure, pc);                                   \
            return *a;                                                                         \
        }                                                                                      \
        struct op op = atomic_begin_with(OP_CAS, OP_READS | OP_WRITES, ADDRESS(a), bits / 8,   \
                                         order, pc, MIX_OPERANDS(expected, desired));          \
        type before = *a;                                                                      \
        if (before != expected) {                                                              \
            op.flags |= OP_FAILED;                                                             \
            atomic_end_load(&op, ADDRESS(a), bits / 8, failure, (uint64_t)before, pc);         \
            return before;                                                                     \
        }                                                                                      \
        *a = desired;                                                                          \
        atomic_end_rmw(&op, ADDRESS(a), bits / 8, order, (uint64_t)before, (uint64_t)desired,  \
                       pc);                                                                    \
        return before;                                                                         \
    }                                                                                          \
    type __tsan_atomic##bits##_compare_exchange_val_hook(                                      \
        volatile type *a, type expected, type desired, int order, int failure);                \
    FIBER_STUB(__tsan_atomic##bits##_compare_exchange_val);                                    \
    type __tsan_atomic##bits##_compare_exchange_val_hook(volatile type *a, type expected,      \
                                                         type desired, int order, int failure) \
    {                                                                                          \
        if (!rt.on) {                                                                          \
            RAW_CAS(type, a, &expected, desired);                                              \
            return expected;                                                                   \
        }                                                                                      \
        return cas##bits(a, expected, desired, order, failure, CALLER);                        \
    }

#define RAW_LOAD(type, a)         __atomic_load_n(a, __ATOMIC_SEQ_CST)
#define RAW_STORE(type, a, value) __atomic_store_n(a, value, __ATOMIC_SEQ_CST)
#define RAW_CAS(type, a, expected, wanted)                                                     \
    __atomic_compare_exchange_n(a, expected, wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

#define ATOMIC_SIZE(bits, type)                                                                \
    ATOMIC_LOAD(bits, type)                                                                    \
    ATOMIC_STORE(bits, type)                                                                   \
    ATOMIC_RMW(bits, type, exchange, value, false,                                             \
               __atomic_exchange_n(a, value, __ATOMIC_SEQ_CST))                                \
    ATOMIC_RMW(bits, type, fetch_add, before + value, value != 0,                              \
               __atomic_fetch_add(a, value, __ATOMIC_SEQ_CST))                                 \
    ATOMIC_RMW(bits, type, fetch_sub, before - value, value != 0,                              \
               __atomic_fetch_sub(a, value, __ATOMIC_SEQ_CST))                                 \
    ATOMIC_RMW(bits, type, fetch_and, before &value, false,                                    \
               __atomic_fetch_and(a, value, __ATOMIC_SEQ_CST))                                 \
    ATOMIC_RMW(bits, type, fetch_or, before | value, false,                                    \
               __atomic_fetch_or(a, value, __ATOMIC_SEQ_CST))                                  \
    ATOMIC_RMW(bits, type, fetch_xor, before ^ value, value != 0,                              \
               __atomic_fetch_xor(a, value, __ATOMIC_SEQ_CST))                                 \
    ATOMIC_RMW(bits, type, fetch_nand, ~(before & value), false,                               \
               __atomic_fetch_nand(a, value, __ATOMIC_SEQ_CST))                                \
    ATOMIC_CAS_COMMON(bits, type)                                                              \
    ATOMIC_CAS(bits, type, strong)                                                             \
    ATOMIC_CAS(bits, type, weak)

ATOMIC_SIZE(8, uint8_t)
ATOMIC_SIZE(16, uint16_t)
ATOMIC_SIZE(32, uint32_t)
ATOMIC_SIZE(64, uint64_t)

/* 128 bits, not under control: a loop around the CPU's compare-exchange, since libmazur does
 * not link libatomic. */
typedef unsigned __int128 uint128;

static uint128 raw_cas128(volatile uint128 *a, uint128 expected, uint128 desired)
{
    uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
    __asm__ volatile("lock cmpxchg16b %0"
                     : "+m"(*a), "+a"(low), "+d"(high)
                     : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
                     : "memory", "cc");
    return (uint128)high << 64 | low;
}

static int raw_cas128_expected(volatile uint128 *a, uint128 *expected, uint128 desired)
{
    uint128 before = raw_cas128(a, *expected, desired);
    if (before == *expected)
        return 1;
    *expected = before;
    return 0;
}

static uint128 raw_exchange128(volatile uint128 *a, uint128 value)
{
    uint128 before = *a;
    while (!raw_cas128_expected(a, &before, value)) {
    }
    return before;
}

#define RAW_RMW128(name, expression)                                                           \
    static uint128 raw_##name##128(volatile uint128 * a, uint128 value)                        \
    {                                                                                          \
        uint128 before = *a;                                                                   \
        while (!raw_cas128_expected(a, &before, expression)) {                                 \
        }                                                                                      \
        return before;                                                                         \
    }
RAW_RMW128(fetch_add, before + value)
RAW_RMW128(fetch_sub, before - value)
RAW_RMW128(fetch_and, before &value)
RAW_RMW128(fetch_or, before | value)
RAW_RMW128(fetch_xor, before ^ value)
RAW_RMW128(fetch_nand, ~(before &value))

#undef RAW_LOAD
#undef RAW_STORE
#undef RAW_CAS
#define RAW_LOAD(type, a)                  raw_cas128((volatile type *)(uintptr_t)(a), 0, 0)
#define RAW_STORE(type, a, value)          (void)raw_exchange128(a, value)
#define RAW_CAS(type, a, expected, wanted) raw_cas128_expected(a, expected, wanted)

ATOMIC_LOAD(128, uint128)
ATOMIC_STORE(128, uint128)
ATOMIC_RMW(128, uint128, exchange, value, false, raw_exchange128(a, value))
ATOMIC_RMW(128, uint128, fetch_add, before + value, value != 0, raw_fetch_add128(a, value))
ATOMIC_RMW(128, uint128, fetch_sub, before - value, value != 0, raw_fetch_sub128(a, value))
ATOMIC_RMW(128, uint128, fetch_and, before &value, false, raw_fetch_and128(a, value))
ATOMIC_RMW(128, uint128, fetch_or, before | value, false, raw_fetch_or128(a, value))
ATOMIC_RMW(128, uint128, fetch_xor, before ^ value, value != 0, raw_fetch_xor128(a, value))
ATOMIC_RMW(128, uint128, fetch_nand, ~(before &value), false, raw_fetch_nand128(a, value))
ATOMIC_CAS_COMMON(128, uint128)
ATOMIC_CAS(128, uint128, strong)
ATOMIC_CAS(128, uint128, weak)

/* --- volatile (--volatile-atomic) --- */

/* Old code uses volatile for flags between threads. With this option, Mazur treats such an
 * access as a relaxed atomic one. The program makes the access itself when the hook returns, in
 * the same step. */
#define VOLATILE_ACCESS(bytes, type)                                                           \
    void __tsan_volatile_read##bytes##_hook(volatile type *a);                                 \
    FIBER_STUB(__tsan_volatile_read##bytes);                                                   \
    void __tsan_volatile_read##bytes##_hook(volatile type *a)                                  \
    {                                                                                          \
        if (!rt.on)                                                                            \
            return;                                                                            \
        if (!rt.volatile_atomic) {                                                             \
            access_read(ADDRESS(a), bytes, CALLER);                                            \
            return;                                                                            \
        }                                                                                      \
        struct op op =                                                                         \
            atomic_begin(OP_LOAD, OP_READS, ADDRESS(a), bytes, __ATOMIC_RELAXED, CALLER);      \
        atomic_end_load(&op, ADDRESS(a), bytes, __ATOMIC_RELAXED, (uint64_t)*a, CALLER);       \
    }                                                                                          \
    EXPORT void __tsan_volatile_write##bytes(volatile type *a);                                \
    void __tsan_volatile_write##bytes(volatile type *a)                                        \
    {                                                                                          \
        if (!rt.on)                                                                            \
            return;                                                                            \
        if (!rt.volatile_atomic) {                                                             \
            access_write(ADDRESS(a), bytes, CALLER);                                           \
            return;                                                                            \
        }                                                                                      \
        struct op op =                                                                         \
            atomic_begin(OP_STORE, OP_WRITES, ADDRESS(a), bytes, __ATOMIC_RELAXED, CALLER);    \
        race_atomic_store(rt.current, ADDRESS(a), bytes, __ATOMIC_RELAXED, CALLER);            \
        schedule_done(&op);                                                                    \
    }

VOLATILE_ACCESS(1, uint8_t)
VOLATILE_ACCESS(2, uint16_t)
VOLATILE_ACCESS(4, uint32_t)
VOLATILE_ACCESS(8, uint64_t)
VOLATILE_ACCESS(16, uint128)

/* Under sequential consistency fences add no order, so they are not scheduling points; the race
 * detector derives synchronisation from them. */
EXPORT void __tsan_atomic_thread_fence(int order);
EXPORT void __tsan_atomic_signal_fence(int order);

void __tsan_atomic_thread_fence(int order)
{
    if (!rt.on) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return;
    }
    race_fence(rt.current, order);
    if (rt.store_buffers && order == __ATOMIC_SEQ_CST)
        store_buffers_fence();
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
