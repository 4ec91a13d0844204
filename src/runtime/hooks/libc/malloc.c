/* malloc and its family (C11 7.22.3, POSIX posix_memalign(3p)) over heap.c, and free as an
 * access: a write of the whole block.
 *
 * In a process that mazur did not start, libc's own allocator is used, through the names that
 * it exports for this purpose. Blocks that heap.c handed out before that was known are
 * recognised by their address. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/access/asan.h"
#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/core/attach.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/heap.h"
#include "runtime/race/race.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *block);

#define PAGE_SIZE 4096

/* Which heap? Mazur's as soon as the process is known to be under control. */
static inline bool is_ours(void)
{
    if (UNLIKELY(!rt.controlled))
        start_attach();
    return rt.controlled && !rt.left;
}

/* Another thread must not touch the block before it gets the address through synchronisation.
 * (Code without instrumentation may pass it on with atomics that Mazur does not see.) */
static void note_birth(void *block, uint64_t pc)
{
    if (RACE_HOT->concurrent && caller_counts(pc))
        heap_set_birth(block, RACE_HOT->clock[rt.current][rt.current]);
}

static void *allocate_block(size_t size, size_t align, bool zero, uint64_t pc)
{
    rt.heap_pc = pc;
    if (under_control())
        spin_progress(rt.self); /* the loop that allocates is not idle */
    void *block = heap_alloc(rt.current, size, align, zero, pc);
    if (!block)
        errno = ENOMEM;
    else if (UNLIKELY(rt.asan))
        asan_allocated(block, size);
    if (under_control() && block)
        note_birth(block, pc);
    return block;
}

static void end_memory(uint64_t base, size_t size, uint64_t pc)
{
    object_memory_ends(base, size, pc);
    race_free(rt.current, base, size, pc);
}

static void release_block(void *block, uint64_t pc)
{
    bool on = under_control();
    rt.heap_pc = pc;
    size_t size = heap_usable_size(block);
    if (UNLIKELY(rt.asan))
        asan_freed(block, size);
    if (!on) {
        heap_free(rt.current, block, pc);
        return;
    }
    static const char *const texts[] = {
        [HEAP_DOUBLE_FREE] = "double free",
        [HEAP_INVALID_FREE] = "free of an address that is not the start of a block",
    };
    if (size > 0)
        end_memory((uint64_t)(uintptr_t)block, size, pc);
    int result = heap_free(rt.current, block, pc);
    if (UNLIKELY(result != HEAP_OK))
        failure_memory(texts[result], (uint64_t)(uintptr_t)block, 0, true, pc);
    spin_progress(rt.self);
}

EXPORT void *malloc(size_t size)
{
    return is_ours() ? allocate_block(size, 0, false, CALLER) : __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    if (!is_ours())
        return __libc_calloc(count, size);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate_block(bytes, 0, true, CALLER);
}

EXPORT void free(void *block)
{
    if (!block)
        return;
    if (heap_contains((uint64_t)(uintptr_t)block)) {
        if (!rt.left)
            release_block(block, CALLER);
        return;
    }
    if (under_control())
        failure_memory("free of an address that is not in the heap", (uint64_t)(uintptr_t)block,
                       0, true, CALLER);
    if (!rt.controlled)
        __libc_free(block);
}

static void *resize_block(void *block, size_t size, uint64_t pc)
{
    size_t old = block ? heap_usable_size(block) : 0;
    rt.heap_pc = pc;
    if (under_control() && old > 0)
        end_memory((uint64_t)(uintptr_t)block, old, pc);
    int result = HEAP_OK;
    void *moved = heap_realloc(rt.current, block, size, pc, &result);
    if (result != HEAP_OK && under_control())
        failure_memory(result == HEAP_DOUBLE_FREE
                           ? "realloc of a block that was freed"
                           : "realloc of an address that is not the start of a block",
                       (uint64_t)(uintptr_t)block, 0, true, pc);
    if (!moved && size > 0)
        errno = ENOMEM;
    if (under_control() && moved)
        note_birth(moved, pc);
    if (UNLIKELY(rt.asan) && moved)
        asan_allocated(moved, size);
    if (UNLIKELY(rt.asan) && (moved || size == 0))
        asan_freed(block, old);
    return moved;
}

EXPORT void *realloc(void *block, size_t size)
{
    bool old_is_ours = block && heap_contains((uint64_t)(uintptr_t)block);
    if (is_ours() && (!block || old_is_ours))
        return resize_block(block, size, CALLER);
    if (!old_is_ours)
        return __libc_realloc(block, size);
    /* Allocated before it was known that this process is not under control. */
    void *moved = __libc_malloc(size);
    size_t old = heap_usable_size(block);
    if (moved)
        __builtin_memcpy(moved, block, old < size ? old : size);
    return moved;
}

EXPORT void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

static void *allocate_aligned(size_t align, size_t size, uint64_t pc)
{
    return is_ours() ? allocate_block(size, align, false, pc) : __libc_memalign(align, size);
}

EXPORT void *memalign(size_t align, size_t size)
{
    return allocate_aligned(align, size, CALLER);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return allocate_aligned(align, size, CALLER);
}

EXPORT void *valloc(size_t size)
{
    return allocate_aligned(PAGE_SIZE, size, CALLER);
}

EXPORT void *pvalloc(size_t size)
{
    return allocate_aligned(PAGE_SIZE, (size + PAGE_SIZE - 1) & ~(size_t)(PAGE_SIZE - 1),
                            CALLER);
}

EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
    if (align < sizeof(void *) || (align & (align - 1)) != 0)
        return EINVAL;
    void *block = allocate_aligned(align, size, CALLER);
    if (!block)
        return ENOMEM;
    caller_writes(out, sizeof *out, CALLER);
    *out = block;
    return 0;
}

EXPORT size_t malloc_usable_size(void *block)
{
    if (!block)
        return 0;
    if (heap_contains((uint64_t)(uintptr_t)block))
        return heap_usable_size(block);
    /* glibc keeps the size in the word before the block, with three flag bits. */
    return (((size_t *)block)[-1] & ~(size_t)7) - sizeof(size_t);
}
