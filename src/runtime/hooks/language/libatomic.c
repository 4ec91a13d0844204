/* libatomic's functions: atomic operations on objects for which the CPU has no instruction
 * (more than 16 bytes; with clang also 16, unless -mcx16). The compiler calls them by name,
 * without instrumentation. (GCC wiki, "GCC Atomic library interface".)
 *
 * Such an object stands for all granules of 16 bytes that it covers (access.c), so that it
 * conflicts with other accesses to the same memory. Under control only one thread runs at a
 * time, so the access itself is a copy. Otherwise libatomic does it; if the linker left
 * libatomic out because libmazur.so has its functions, it is a copy under Mazur's own lock. */
#include <dlfcn.h>
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/record.h"
#include "runtime/race/race.h"

#define GRANULE 16

__extension__ typedef unsigned __int128 uint128;

/* The compiler reserves these names, so C code can't define functions under them. */
#define NAMED(type, function, symbol, parameters)                                              \
    EXPORT type function parameters __asm__(symbol);                                           \
    type function parameters

static struct op begin_access(int kind, int flags, const volatile void *object, size_t size,
                              int order, uint64_t pc)
{
    uint64_t end = ADDRESS(object) + size;
    struct op op = {.kind = (uint16_t)kind,
                    .flags = (uint16_t)flags,
                    .order = (uint8_t)order,
                    .size = (uint8_t)(size < 255 ? size : 255),
                    .pc = pc};
    for (uint64_t at = ADDRESS(object), next; at < end; at = next) {
        next = (at | (GRANULE - 1)) + 1;
        next = next < end ? next : end;
        op_add_object(&op,
                      access_atomic_object(at, (uint32_t)(next - at), flags & OP_WRITES, pc));
    }
    rt.board->atomics_seen = true;
    schedule_point(&op);
    if (UNLIKELY(rt.recording))
        record_facts.address = ADDRESS(object);
    return op;
}

static int lock_word;

static void lock_all(void)
{
    while (__atomic_exchange_n(&lock_word, 1, __ATOMIC_ACQUIRE)) {
    }
}

static void unlock_all(void)
{
    __atomic_store_n(&lock_word, 0, __ATOMIC_RELEASE);
}

/* One of the four operations that all others are made of. `wanted` NULL: load; `expected` NULL:
 * no comparison; `before`: where to store the old value, NULL: nowhere. False: the comparison
 * failed. */
struct access {
    size_t size;
    volatile void *object;
    const void *wanted;
    void *expected;
    void *before;
    int order;
    int failure_order;
};

static bool exchange_bytes(const struct access *access)
{
    void *object = (void *)(uintptr_t)access->object;
    bool equal = !access->expected || memcmp(object, access->expected, access->size) == 0;
    if (!equal)
        memmove(access->expected, object, access->size);
    if (access->before)
        memmove(access->before, object, access->size);
    if (equal && access->wanted)
        memmove(object, access->wanted, access->size);
    return equal;
}

static bool perform_access(const struct access *access, uint64_t pc)
{
    if (!under_control()) {
        lock_all();
        bool equal = exchange_bytes(access);
        unlock_all();
        return equal;
    }
    bool reads = access->expected || access->before, writes = access->wanted;
    int kind = access->expected ? OP_CAS
               : !writes        ? OP_LOAD
               : access->before ? OP_RMW
                                : OP_STORE;
    caller_reads(access->wanted, writes ? access->size : 0, pc);
    caller_reads(access->expected, access->expected ? access->size : 0, pc);
    struct op op =
        begin_access(kind, (reads ? OP_READS : 0) | (writes ? OP_WRITES | OP_MAY_RELEASE : 0),
                     access->object, access->size, access->order, pc);
    bool equal = exchange_bytes(access);
    uint64_t address = ADDRESS(access->object);
    if (!equal)
        op.flags = (uint16_t)((op.flags & ~(OP_WRITES | OP_MAY_RELEASE)) | OP_FAILED);
    if (!equal || !writes)
        race_atomic_load(rt.current, address, access->size,
                         equal ? access->order : access->failure_order, pc);
    else if (reads)
        race_atomic_rmw(rt.current, address, access->size, access->order, pc);
    else
        race_atomic_store(rt.current, address, access->size, access->order, pc);
    schedule_done(&op);
    if (!equal)
        caller_writes(access->expected, access->size, pc);
    if (access->before)
        caller_writes(access->before, access->size, pc);
    return equal;
}

/* libatomic itself, if it is loaded and the process is not under control. */
#define LIBRARY(type, symbol, parameters, arguments)                                           \
    if (!under_control()) {                                                                    \
        type(*next) parameters = (type(*) parameters)(uintptr_t)dlsym(RTLD_NEXT, symbol);      \
        if (next)                                                                              \
            return next arguments;                                                             \
    }

/* --- Any size --- */

NAMED(void, any_load, "__atomic_load",
      (size_t size, volatile void *object, void *to, int order))
{
    LIBRARY(void, "__atomic_load", (size_t, volatile void *, void *, int),
            (size, object, to, order))
    perform_access(
        &(struct access){.size = size, .object = object, .before = to, .order = order}, CALLER);
}

NAMED(void, any_store, "__atomic_store",
      (size_t size, volatile void *object, const void *value, int order))
{
    LIBRARY(void, "__atomic_store", (size_t, volatile void *, const void *, int),
            (size, object, value, order))
    perform_access(
        &(struct access){.size = size, .object = object, .wanted = value, .order = order},
        CALLER);
}

NAMED(void, any_exchange, "__atomic_exchange",
      (size_t size, volatile void *object, const void *value, void *to, int order))
{
    LIBRARY(void, "__atomic_exchange", (size_t, volatile void *, const void *, void *, int),
            (size, object, value, to, order))
    perform_access(
        &(struct access){
            .size = size, .object = object, .wanted = value, .before = to, .order = order},
        CALLER);
}

NAMED(bool, any_compare, "__atomic_compare_exchange",
      (size_t size, volatile void *object, void *expected, const void *value, int order,
       int failure_order))
{
    LIBRARY(bool, "__atomic_compare_exchange",
            (size_t, volatile void *, void *, const void *, int, int),
            (size, object, expected, value, order, failure_order))
    return perform_access(&(struct access){.size = size,
                                           .object = object,
                                           .wanted = value,
                                           .expected = expected,
                                           .order = order,
                                           .failure_order = failure_order},
                          CALLER);
}

/* --- 16 bytes --- */

NAMED(uint128, load_16, "__atomic_load_16", (volatile void *object, int order))
{
    LIBRARY(uint128, "__atomic_load_16", (volatile void *, int), (object, order))
    uint128 value = 0;
    perform_access(
        &(struct access){.size = 16, .object = object, .before = &value, .order = order},
        CALLER);
    return value;
}

NAMED(void, store_16, "__atomic_store_16", (volatile void *object, uint128 value, int order))
{
    LIBRARY(void, "__atomic_store_16", (volatile void *, uint128, int), (object, value, order))
    perform_access(
        &(struct access){.size = 16, .object = object, .wanted = &value, .order = order},
        CALLER);
}

NAMED(uint128, exchange_16, "__atomic_exchange_16",
      (volatile void *object, uint128 value, int order))
{
    LIBRARY(uint128, "__atomic_exchange_16", (volatile void *, uint128, int),
            (object, value, order))
    uint128 before = 0;
    perform_access(
        &(struct access){
            .size = 16, .object = object, .wanted = &value, .before = &before, .order = order},
        CALLER);
    return before;
}

NAMED(bool, compare_16, "__atomic_compare_exchange_16",
      (volatile void *object, void *expected, uint128 value, int order, int failure_order))
{
    LIBRARY(bool, "__atomic_compare_exchange_16", (volatile void *, void *, uint128, int, int),
            (object, expected, value, order, failure_order))
    return perform_access(&(struct access){.size = 16,
                                           .object = object,
                                           .wanted = &value,
                                           .expected = expected,
                                           .order = order,
                                           .failure_order = failure_order},
                          CALLER);
}
