/* The program's heap: its addresses are deterministic, and every access is checked.
 *
 * Each thread slot owns an arena of 4 GiB of addresses and allocates by advancing a pointer, so
 * the k-th allocation of a thread has the same address in every execution, whatever the other
 * threads do. Freed memory is not reused within an execution until the arena has handed out
 * HEAP_REUSE_AFTER bytes, so a stale pointer can be recognised.
 *
 *   arena:  | h | data ... | redzone | h | data | redzone | ... bump pointer → |  never used |
 *   shadow: one 32-bit word per 16 bytes: stamp of the execution << 8 | valid bytes (1..16)
 *
 * A word with the stamp of another execution means nothing. So restoring the initial state only
 * takes a new stamp and the old bump pointers; nothing is cleared. Blocks allocated before the
 * snapshot have stamp 0, which is always valid; heap_begin() undoes a free of such a block.
 * Blocks over 64 KiB have no words (stamping them would cost more than using them); they are
 * found through a table by page.
 *
 * Metadata is outside the arenas, except for a hint of 16 bytes before each small block. The
 * hint is verified before use, so a program that overwrites it does no harm.
 *
 * Everything here runs on one OS thread; `tid` is the thread slot that calls. */
#ifndef MAZUR_RUNTIME_HEAP_H
#define MAZUR_RUNTIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threadset.h"
#include "board/board.h"
#include "runtime/memory/saved.h"
#include "runtime/memory/memory.h"

#define HEAP_BASE        UINT64_C(0x110000000000)
#define HEAP_ARENA       (UINT64_C(4) << 30)
#define HEAP_BYTES       (HEAP_ARENA * THREADS_MAX)
#define HEAP_REUSE_AFTER (UINT64_C(256) << 20)
#define HEAP_GRANULE     16
/* The contents of a block from malloc(). The bytes differ, so that no compiler turns the loop
 * into a call of memset, and the value is neither a small number nor a valid pointer. */
#define HEAP_FILL UINT64_C(0xbaadf00dbaadf00d)

enum heap_result {
    HEAP_OK = 0,
    HEAP_DOUBLE_FREE,
    HEAP_INVALID_FREE, /* not the start of a block */
    HEAP_USE_AFTER_FREE,
    HEAP_OUT_OF_BOUNDS, /* outside a block, but near one */
    HEAP_UNALLOCATED,   /* in the heap's range, but not near a block of this execution */
};

/* The first heap_alloc() calls it, too: this may come from ld.so, before any constructor. */
void heap_init(void);

/* Returns NULL if the arena is full or the size is absurd. `align` is a power of two; 0 means
 * 16. A block that is not zeroed contains a fixed pattern (up to 64 KiB) or zeros, never data
 * of another execution. `pc` is where the program made the call. */
void *heap_alloc(int tid, size_t size, size_t align, bool zero, uint64_t pc);
/* Freeing NULL gives HEAP_OK. Any other result than HEAP_OK leaves the heap unchanged. */
int heap_free(int tid, void *block, uint64_t pc);
/* realloc() as in glibc: a NULL block allocates, size 0 frees and returns NULL. A block always
 * moves, so that stale pointers to it are caught. *result as heap_free(); on failure NULL is
 * returned and the block stays. */
void *heap_realloc(int tid, void *block, size_t size, uint64_t pc, int *result);
/* Exactly the requested size, or 0 if `block` is not the start of a live block. */
size_t heap_usable_size(const void *block);

/* Stores a number with the block, 0 at first: when it was allocated (race.h). */
void heap_set_birth(void *block, uint32_t birth);
/* The number of the live block that contains the address, and where the block ends; 0: none. */
uint32_t heap_birth(uint64_t address, uint64_t *end);

/* Makes the current blocks the initial state of every execution. */
void heap_snapshot(void);
/* Called before the first thread is created, in every execution, so that addresses do not
 * depend on whether there is a checkpoint. What main allocates later shares no page with the
 * present blocks and reuses none of them. */
void heap_settle(void);
/* A checkpoint, after heap_settle(): makes the current blocks the initial state of the next
 * executions. [*low, *high): the pages of those that are new since main. False: a thread other
 * than main has used the heap. */
bool heap_advance(uint64_t *low, uint64_t *high);
/* Between executions: forgets the checkpoint. */
void heap_go_back(void);
/* The address ranges of the blocks from before main: whole pages, which later allocations do
 * not share. */
void heap_snapshot_ranges(void (*range)(uint64_t low, uint64_t high, void *context),
                          void *context);
/* Hash of everything that this execution allocated or freed, contents included. */
uint64_t heap_hash(uint64_t seed);
/* Starts a new execution: goes back to the snapshot, in time proportional to the number of
 * threads that used the heap (and of old blocks that were freed). The caller restores the
 * contents of old blocks. */
void heap_begin(void);

/* At a checkpoint on the path: saves what this execution has done to the heap. Later, right
 * after heap_begin(): the execution goes on from there. */
void heap_save(struct saved *saved);
void heap_put_back(struct saved *saved);

/* The block that contains the address, or the nearest one before it in the same arena. Returns
 * false (and base 0) if there is none. Stacks are complete only in record mode; otherwise only
 * pc[0] is known. */
bool heap_block(uint64_t address, struct board_block *out);
/* Calls back for every live block, those from before main included. */
void heap_each(void (*visit)(const struct board_block *block, void *context), void *context);
/* Calls back for every block that was allocated in this execution and is still live. */
void heap_leaks(void (*leak)(const struct board_block *block, void *context), void *context);

/* Record mode: captures the caller's stack at each allocation and free. Set before the
 * snapshot, NULL in a search. */
extern uint32_t (*heap_stack)(struct board_stack *stack);

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
