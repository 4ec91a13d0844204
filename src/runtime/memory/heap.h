/* The program's heap: deterministic addresses, and a check of every access.
 *
 * Each thread slot owns an arena of 4 GiB of addresses and allocates by advancing a pointer, so
 * the k-th allocation of a thread has the same address in every execution, whatever the other
 * threads do. Freed memory is not used again inside an execution until the arena has handed
 * out HEAP_REUSE_AFTER bytes, so a stale pointer stays recognisable.
 *
 *   arena:  | h | data ... | redzone | h | data | redzone | ... bump pointer → |  never used |
 *   shadow: one 32-bit word per 16 bytes: stamp of the execution << 8 | valid bytes (1..16)
 *
 * A word whose stamp is not the running execution's says nothing: going back to the initial
 * state is a new stamp and the old bump pointers, nothing is cleared. Blocks allocated before
 * the snapshot carry stamp 0, which is always valid; freeing one is undone by heap_begin().
 * Blocks over 64 KiB have no words (stamping them would cost more than using them): a table
 * by page leads to them.
 *
 * Metadata lies outside the arenas, except for a hint of 16 bytes before each small block,
 * which is verified before use; a program that tramples over it does no harm.
 *
 * Everything here runs on one OS thread; `tid` is the thread slot that calls. */
#ifndef MAZUR_RUNTIME_HEAP_H
#define MAZUR_RUNTIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threadset.h"
#include "board/board.h"
#include "runtime/memory/memory.h"

#define HEAP_BASE        UINT64_C(0x110000000000)
#define HEAP_ARENA       (UINT64_C(4) << 30)
#define HEAP_BYTES       (HEAP_ARENA * THREADS_MAX)
#define HEAP_REUSE_AFTER (UINT64_C(256) << 20)
#define HEAP_GRANULE     16
/* What malloc() leaves in a block. Differs from byte to byte, so that no compiler turns the
 * loop into a call, and is neither a small number nor a valid pointer. */
#define HEAP_FILL UINT64_C(0xbaadf00dbaadf00d)

enum heap_result {
    HEAP_OK = 0,
    HEAP_DOUBLE_FREE,
    HEAP_INVALID_FREE, /* not the start of a block */
    HEAP_USE_AFTER_FREE,
    HEAP_OUT_OF_BOUNDS, /* beside a block */
    HEAP_UNALLOCATED,   /* in the heap's range, near no block of this execution */
};

/* Called by the first heap_alloc() too: that may come from ld.so, before any constructor. */
void heap_init(void);

/* NULL when the arena is full or the size absurd. `align` is a power of two, 0: 16. A block
 * that is not zeroed holds a fixed pattern (up to 64 KiB) or zeros: never another execution's
 * data. `pc` is where the program called. */
void *heap_alloc(int tid, size_t size, size_t align, bool zero, uint64_t pc);
/* NULL is HEAP_OK. Anything but HEAP_OK leaves the heap as it was. */
int heap_free(int tid, void *block, uint64_t pc);
/* realloc() as glibc has it: a NULL block allocates, size 0 frees and gives NULL. A block
 * always moves, so that stale pointers to it are caught. *result as heap_free(); on failure
 * NULL is returned and the block stays. */
void *heap_realloc(int tid, void *block, size_t size, uint64_t pc, int *result);
/* Exactly the size asked for, 0 where `block` is not the start of a live block. */
size_t heap_usable_size(const void *block);

/* A number that goes with the block, 0 at first: when it was allocated (race.h). */
void heap_set_birth(void *block, uint32_t birth);
/* The number of the live block that contains the address, and where that ends; 0: none. */
uint32_t heap_birth(uint64_t address, uint64_t *end);

/* What exists now is the initial state of every execution. */
void heap_snapshot(void);
/* The address ranges whose contents belong to it: whole pages, which nothing allocated
 * later shares. */
void heap_snapshot_ranges(void (*range)(uint64_t low, uint64_t high, void *context),
                          void *context);
/* Hash of everything that this execution allocated or freed, contents included. */
uint64_t heap_hash(uint64_t seed);
/* A new execution: back to the snapshot, in time proportional to the threads that used the heap
 * (and the old blocks that were freed). Contents of old blocks are the caller's to restore. */
void heap_begin(void);

/* The block that contains the address, or the nearest before it in the same arena. False (and
 * base 0) where there is none. Stacks are there in record mode, else only pc[0]. */
bool heap_block(uint64_t address, struct board_block *out);
/* Every block that was allocated in this execution and is still live. */
void heap_leaks(void (*leak)(const struct board_block *block, void *context), void *context);

/* Record mode: captures the caller's stack at each allocation and free. Set before the
 * snapshot, NULL in a search. */
extern void (*heap_stack)(struct board_stack *stack);

static inline bool heap_contains(uint64_t address)
{
    return address - HEAP_BASE < HEAP_BYTES;
}

/* --- Private: the inlined check --- */

struct heap_hot {
    uint32_t
        stamp; /* the running execution's, already shifted left by 8; 0 before the snapshot */
};

int heap_check_slow(uint64_t address, size_t size);

/* Is [address, address + size) inside one live block? HEAP_OK for addresses outside the heap.
 */
static inline int heap_check(uint64_t address, size_t size)
{
    if (!heap_contains(address))
        return HEAP_OK;
    uint32_t word = ((const uint32_t *)RT_HEAP_SHADOW)[(address - HEAP_BASE) / HEAP_GRANULE];
    uint32_t valid = word ^ ((const struct heap_hot *)rt_table(RT_HEAP_STATE))->stamp;
    if (valid <= HEAP_GRANULE && (address & (HEAP_GRANULE - 1)) + size <= valid)
        return HEAP_OK;
    return heap_check_slow(address, size);
}

#endif
