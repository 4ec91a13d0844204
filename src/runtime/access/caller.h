/* Accesses that a function of libc makes for its caller. They are checked for races only if
 * Mazur sees the caller's atomics, and not between the point of an operation and its end. */
#ifndef MAZUR_RUNTIME_CALLER_H
#define MAZUR_RUNTIME_CALLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/access/access.h"
#include "runtime/access/asan.h"
#include "runtime/core/runtime.h"

/* The module where the previous caller was found. */
extern struct address_range caller_module __attribute__((visibility("hidden")));
bool caller_counts_elsewhere(uint64_t pc);

/* Is the code at pc instrumented, or the C++ library's? */
static inline bool caller_counts(uint64_t pc)
{
    return LIKELY(pc - caller_module.start < caller_module.end - caller_module.start) ||
           caller_counts_elsewhere(pc);
}

/* Inside a step: what was picked reads and writes now. */
static inline void caller_reads_now(const void *from, size_t size, uint64_t pc)
{
    if (!rt.on || size == 0)
        return;
    if (UNLIKELY(rt.asan))
        asan_access(from, size, false);
    if (caller_counts(pc))
        access_read_picked((uint64_t)(uintptr_t)from, size, pc);
    else
        access_check((uint64_t)(uintptr_t)from, size, false, pc);
}

static inline void caller_writes_now(void *to, size_t size, uint64_t pc)
{
    if (!rt.on || size == 0)
        return;
    if (UNLIKELY(rt.asan))
        asan_access(to, size, true);
    if (caller_counts(pc))
        access_write_picked((uint64_t)(uintptr_t)to, size, pc);
    else
        access_check((uint64_t)(uintptr_t)to, size, true, pc);
}

/* --races=explore: are this caller's accesses to racing memory operations? */
static inline bool caller_explores(uint64_t pc)
{
    return UNLIKELY(rt.has_racy) && rt.on && caller_counts(pc);
}
/* The racing part of the memory becomes an operand of the operation. */
void caller_add_memory(struct op *op, const void *at, size_t size, bool write);

void caller_reads(const void *from, size_t size, uint64_t pc);
void caller_writes(void *to, size_t size, uint64_t pc);
/* The caller reads a string up to its end; NULL: nothing. */
void caller_reads_text(const char *text, uint64_t pc);
/* An access that libc orders with its other accesses: it races only with the program's. */
void caller_writes_guarded(void *to, size_t size, uint64_t pc);
void caller_reads_guarded(const void *from, size_t size, uint64_t pc);

#endif
