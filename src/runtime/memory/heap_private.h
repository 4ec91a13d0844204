/* What the heap's files share: arenas, blocks, and the addresses of their tables. */
#ifndef MAZUR_RUNTIME_HEAP_PRIVATE_H
#define MAZUR_RUNTIME_HEAP_PRIVATE_H

#include "runtime/memory/heap.h"

#define HEAP_CLASSES 256
/* Addresses for the blocks of one arena. Not a round number, to spread the tables over the
 * caches, like the first offsets of the arenas. */
#define HEAP_BLOCKS_STRIDE ((UINT64_C(4) << 30) + 7 * HEAP_PAGE + 5 * 64)
#define HEAP_STACKS_BYTES  (UINT64_C(64) << 30)
#define HEAP_PAGE          4096

/* An extent of an arena and its current occupant. */
struct heap_block {
    uint64_t size; /* as requested */
    uint64_t allocated_at;
    uint64_t freed_at;
    uint32_t data;     /* first granule of the data, counted in the arena */
    uint32_t capacity; /* granules from there, redzone included */
    uint32_t number;   /* it is the thread's number-th allocation, from 1 */
    uint32_t next;     /* in a queue of freed blocks or the undo list: index + 1 */
    uint32_t birth;    /* for the race detector, 0: nothing to check (heap_set_birth) */
    uint32_t stacks;   /* record mode: entry of the stacks, 0: none */
    int16_t freed_by;  /* -1: live */
    bool large;        /* found by page, not in the shadow */
};

struct heap_stacks {
    struct board_stack allocated;
    struct board_stack freed;
    uint32_t freed_event; /* as in struct board_block */
};

struct heap_queue { /* indices + 1; `last` is meaningless when `first` is 0 */
    uint32_t first;
    uint32_t last;
};

struct heap_arena {
    uint64_t bump;  /* next unused byte; old_…: the same at the snapshot */
    uint64_t open;  /* accessible bytes */
    uint64_t dirty; /* bytes ever handed out: memory after them reads as zero */
    uint64_t old_bump;
    uint32_t nblocks;
    uint32_t old_blocks;
    uint32_t allocations;
    uint32_t old_allocations;
    uint32_t settled; /* blocks below are not reused in this execution (heap_settle) */
    uint32_t undo;    /* old blocks freed in this execution */
    bool used;        /* in this execution */
    bool sorted;      /* class[] is in use in this execution */
    struct heap_queue freed;
    struct heap_queue class[HEAP_CLASSES];
};

struct heap_state {
    struct heap_hot hot;
    uint32_t nused;
    uint32_t nstacks;
    uint32_t old_stacks;
    bool stacks_mapped;
    bool advanced; /* the old blocks are those of a checkpoint; these are the values from before
                    * main: */
    struct heap_start {
        uint64_t bump;
        uint32_t blocks;
        uint32_t allocations;
        uint32_t undo;
    } start; /* of main's arena, the only one that is in use at a checkpoint */
    uint16_t used[THREADS_MAX]; /* arenas used in this execution */
    struct heap_arena arena[THREADS_MAX];
};

#define HEAP ((struct heap_state *)rt_table(RT_HEAP_STATE))

static inline uint64_t heap_arena_base(int tid)
{
    return HEAP_BASE + (uint64_t)tid * HEAP_ARENA;
}

static inline struct heap_block *heap_table(int tid)
{
    return (struct heap_block *)(RT_HEAP_BLOCKS + (uint64_t)tid * HEAP_BLOCKS_STRIDE);
}

/* By granule of the arena. */
static inline uint32_t *heap_shadow(int tid)
{
    return (uint32_t *)RT_HEAP_SHADOW + (uint64_t)tid * (HEAP_ARENA / HEAP_GRANULE);
}

/* By page of the arena: the large block that owns it. Must be verified, since old entries
 * stay. */
static inline uint32_t *heap_pages(int tid)
{
    return (uint32_t *)RT_HEAP_PAGES + (uint64_t)tid * (HEAP_ARENA / HEAP_PAGE);
}

/* Marks the data of a small block as valid for the execution with this stamp. */
void heap_stamp_block(int tid, const struct heap_block *block, uint32_t stamp);
void heap_unstamp_block(int tid, const struct heap_block *block);
struct heap_arena *heap_use_arena(int tid);
/* Where the memory of an arena begins that is not part of the snapshot. */
uint64_t heap_new_memory(int tid);

/* The block that starts exactly at the address, live or freed, and its arena; or NULL. */
struct heap_block *heap_block_at(uint64_t address, int *owner);

#endif
