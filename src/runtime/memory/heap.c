/* The deterministic heap: see heap.h for the picture. This file owns the arenas; heap_lookup.c
 * finds blocks for checks and reports.
 *
 * Invariants:
 * - block[] of an arena is sorted by address: blocks are made by advancing the bump pointer,
 *   and reuse gives an old extent a new occupant without moving it.
 * - In the shadow, a word that is valid for the running execution (its stamp or stamp 0)
 *   belongs to a live small block. Headers and redzones are never stamped; the words of freed
 *   data are zeroed.
 * - Blocks below old_blocks existed at the snapshot; they are never reused. */
#include "runtime/memory/heap.h"

#include <string.h>

#include "base/must.h"
#include "runtime/memory/heap_private.h"
#include "runtime/memory/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define PAGE          ((uint64_t)HEAP_PAGE)
#define FIRST_CHUNK   (UINT64_C(256) << 10)
#define LARGE         (UINT64_C(64) << 10) /* larger blocks are found by page */
#define REDZONE_LIMIT 15                   /* granules, plus the one that always follows */
#define EXACT_CLASSES 64
#define STAMP_STEP    256

uint32_t (*heap_stack)(struct board_stack *stack);

static bool ready;

/* Threads that do the same must not use addresses that differ only in high bits: their blocks
 * would compete for the same cache lines. Not 0, because a large block needs something before
 * it. */
static uint64_t first_offset(int tid)
{
    return HEAP_GRANULE + (uint64_t)(tid % 64) * 13 * PAGE + (uint64_t)(tid % 30) * 128;
}

void heap_init(void)
{
    if (ready)
        return;
    ready = true;
    rt_reserve_at(HEAP_BASE, HEAP_BYTES);
    rt_map_at(RT_HEAP_STATE, sizeof(struct heap_state));
    rt_map_at(RT_HEAP_SHADOW, HEAP_BYTES / HEAP_GRANULE * sizeof(uint32_t));
    rt_map_at(RT_HEAP_PAGES, HEAP_BYTES / PAGE * sizeof(uint32_t));
    rt_map_at(RT_HEAP_BLOCKS, (HEAP_BLOCKS_STRIDE * THREADS_MAX + PAGE - 1) & ~(PAGE - 1));
    for (int tid = 0; tid < THREADS_MAX; tid++)
        HEAP->arena[tid].bump = HEAP->arena[tid].old_bump = first_offset(tid);
}

struct heap_arena *heap_use_arena(int tid)
{
    struct heap_arena *arena = &HEAP->arena[tid];
    if (!arena->used) {
        arena->used = true;
        HEAP->used[HEAP->nused++] = (uint16_t)tid;
    }
    return arena;
}

/* --- Size classes: exact up to 64 granules, then eight to a doubling --- */

static uint64_t round_capacity(uint64_t granules)
{
    if (granules <= EXACT_CLASSES)
        return granules;
    uint64_t step = UINT64_C(1) << (63 - __builtin_clzll(granules) - 3);
    return (granules + step - 1) & ~(step - 1);
}

static int class_of(uint64_t granules)
{
    if (granules < EXACT_CLASSES)
        return (int)granules;
    int exponent = 63 - __builtin_clzll(granules);
    return EXACT_CLASSES + (exponent - 6) * 8 + (int)((granules >> (exponent - 3)) & 7);
}

/* --- Reuse, once the arena has handed out a lot --- */

static void queue_push(struct heap_block *table, struct heap_queue *queue, uint32_t index)
{
    table[index].next = 0;
    if (queue->first)
        table[queue->last - 1].next = index + 1;
    else
        queue->first = index + 1;
    queue->last = index + 1;
}

static uint32_t queue_pop(struct heap_block *table, struct heap_queue *queue)
{
    must(queue->first);
    uint32_t index = queue->first - 1;
    queue->first = table[index].next;
    return index;
}

/* The block of this capacity that was freed first, or NULL. Freed blocks first go into a single
 * queue, which costs nothing to reset; this function sorts them into classes. */
static struct heap_block *take_freed(int tid, struct heap_arena *arena, uint64_t capacity)
{
    struct heap_block *table = heap_table(tid);
    struct heap_queue *wanted = &arena->class[class_of(capacity)];
    if (!arena->sorted) {
        memset(arena->class, 0, sizeof arena->class);
        arena->sorted = true;
    }
    while (!wanted->first && arena->freed.first) {
        uint32_t index = queue_pop(table, &arena->freed);
        queue_push(table, &arena->class[class_of(table[index].capacity)], index);
    }
    return wanted->first ? &table[queue_pop(table, wanted)] : NULL;
}

/* --- Allocation --- */

static void open_arena(int tid, struct heap_arena *arena, uint64_t end)
{
    uint64_t size = arena->open ? arena->open * 2 : FIRST_CHUNK;
    while (size < end)
        size *= 2;
    if (size > HEAP_ARENA)
        size = HEAP_ARENA;
    rt_open(heap_arena_base(tid) + arena->open, size - arena->open);
    arena->open = size;
}

/* A new extent at the bump pointer. NULL when the arena is full. */
static struct heap_block *extend_arena(int tid, struct heap_arena *arena, uint64_t capacity,
                                       uint64_t align, bool large)
{
    uint64_t header = large ? 0 : HEAP_GRANULE;
    uint64_t data = (arena->bump + header + align - 1) & ~(align - 1);
    uint64_t end = data + capacity * HEAP_GRANULE;
    if (end > HEAP_ARENA ||
        (arena->nblocks + 1) * sizeof(struct heap_block) > HEAP_BLOCKS_STRIDE)
        return NULL;
    if (end > arena->open)
        open_arena(tid, arena, end);
    arena->bump = end;
    uint32_t index = arena->nblocks++;
    struct heap_block *block = &heap_table(tid)[index];
    block->data = (uint32_t)(data / HEAP_GRANULE);
    block->capacity = (uint32_t)capacity;
    block->large = large;
    must(index == 0 || block[-1].data < block->data);
    if (large) {
        uint32_t *pages = heap_pages(tid);
        for (uint64_t page = data / PAGE; page * PAGE < end; page++)
            pages[page] = index;
    } else {
        *(uint64_t *)(heap_arena_base(tid) + data - header) = index;
    }
    return block;
}

/* Sets contents that do not depend on what ran before. */
static void prepare_block(const struct heap_arena *arena, const struct heap_block *block,
                          uint64_t address, bool zero, bool reused)
{
    uint64_t offset = block->data * UINT64_C(16);
    uint64_t end = offset + block->capacity * UINT64_C(16);
    if (block->large) {
        if (reused || end <= arena->dirty)
            rt_clear(address, end - offset);
        else if (offset < arena->dirty)
            rt_clear(address, (arena->dirty - offset + PAGE - 1) & ~(PAGE - 1));
    } else if (!zero) {
        uint64_t *word = (uint64_t *)address;
        for (uint64_t i = 0; i < (block->size + 15) / 16; i++)
            word[2 * i] = word[2 * i + 1] = HEAP_FILL;
    } else if (reused || offset < arena->dirty) {
        memset((void *)address, 0, block->size);
    }
}

void heap_stamp_block(int tid, const struct heap_block *block, uint32_t stamp)
{
    if (block->large || block->size == 0)
        return;
    uint32_t *word = heap_shadow(tid) + block->data;
    uint64_t last = (block->size - 1) / HEAP_GRANULE;
    for (uint64_t i = 0; i < last; i++)
        word[i] = stamp | HEAP_GRANULE;
    word[last] = stamp | (uint32_t)(block->size - last * HEAP_GRANULE);
}

void heap_unstamp_block(int tid, const struct heap_block *block)
{
    if (!block->large)
        memset(heap_shadow(tid) + block->data, 0,
               (block->size + HEAP_GRANULE - 1) / HEAP_GRANULE * sizeof(uint32_t));
}

static struct heap_stacks *stacks_of(uint32_t number)
{
    return &((struct heap_stacks *)RT_HEAP_STACKS)[number];
}

static void record_allocation(struct heap_block *block)
{
    if (!HEAP->stacks_mapped) {
        rt_map_at(RT_HEAP_STACKS, HEAP_STACKS_BYTES);
        HEAP->stacks_mapped = true;
    }
    if ((HEAP->nstacks + 2) * sizeof(struct heap_stacks) > HEAP_STACKS_BYTES)
        return;
    block->stacks = ++HEAP->nstacks;
    heap_stack(&stacks_of(block->stacks)->allocated);
}

/* Granules of a block, counted from its data, redzone included; 0 if no arena could hold it. */
static uint64_t capacity_of(size_t size, bool large)
{
    if (size > HEAP_ARENA)
        return 0;
    uint64_t data = (size + HEAP_GRANULE - 1) / HEAP_GRANULE;
    uint64_t redzone = data / 8 < REDZONE_LIMIT ? 1 + data / 8 : 1 + REDZONE_LIMIT;
    return round_capacity(data + (large ? PAGE / HEAP_GRANULE : redzone));
}

void *heap_alloc(int tid, size_t size, size_t align, bool zero, uint64_t pc)
{
    heap_init();
    bool large = size > LARGE;
    uint64_t natural = large ? PAGE : HEAP_GRANULE;
    uint64_t capacity = capacity_of(size, large);
    if (align < natural)
        align = natural;
    if (capacity == 0 || align > HEAP_ARENA)
        return NULL;
    struct heap_arena *arena = heap_use_arena(tid);
    struct heap_block *block = NULL;
    if (arena->bump > HEAP_REUSE_AFTER && align == natural)
        block = take_freed(tid, arena, capacity);
    bool reused = block;
    if (!block)
        block = extend_arena(tid, arena, capacity, align, large);
    if (!block)
        return NULL;
    block->size = size;
    block->number = ++arena->allocations;
    block->allocated_at = pc;
    block->freed_by = -1;
    block->stacks = 0;
    block->birth = 0;
    uint64_t address = heap_arena_base(tid) + block->data * UINT64_C(16);
    prepare_block(arena, block, address, zero, reused);
    heap_stamp_block(tid, block, HEAP->hot.stamp);
    if (arena->bump > arena->dirty)
        arena->dirty = arena->bump;
    if (heap_stack)
        record_allocation(block);
    return (void *)address;
}

/* --- Free --- */

int heap_free(int tid, void *pointer, uint64_t pc)
{
    if (!pointer)
        return HEAP_OK;
    int owner;
    struct heap_block *block = heap_block_at((uint64_t)pointer, &owner);
    if (!block)
        return HEAP_INVALID_FREE;
    if (block->freed_by >= 0)
        return HEAP_DOUBLE_FREE;
    struct heap_arena *arena = heap_use_arena(owner);
    struct heap_block *table = heap_table(owner);
    uint32_t index = (uint32_t)(block - table);
    block->freed_by = (int16_t)tid;
    block->freed_at = pc;
    heap_unstamp_block(owner, block);
    if (index < arena->old_blocks) {
        block->next = arena->undo;
        arena->undo = index + 1;
    } else if (index >= arena->settled) {
        queue_push(table, &arena->freed, index);
    }
    if (heap_stack && block->stacks) {
        struct heap_stacks *stacks = stacks_of(block->stacks);
        stacks->freed_event = heap_stack(&stacks->freed);
    }
    return HEAP_OK;
}

void *heap_realloc(int tid, void *pointer, size_t size, uint64_t pc, int *result)
{
    *result = HEAP_OK;
    if (!pointer)
        return heap_alloc(tid, size, 0, false, pc);
    int owner;
    struct heap_block *block = heap_block_at((uint64_t)pointer, &owner);
    if (!block || block->freed_by >= 0) {
        *result = block ? HEAP_DOUBLE_FREE : HEAP_INVALID_FREE;
        return NULL;
    }
    void *moved = NULL;
    if (size > 0) {
        moved = heap_alloc(tid, size, 0, false, pc);
        if (!moved)
            return NULL;
        memcpy(moved, pointer, size < block->size ? size : block->size);
    }
    *result = heap_free(tid, pointer, pc);
    return moved;
}

size_t heap_usable_size(const void *pointer)
{
    int owner;
    struct heap_block *block = heap_block_at((uint64_t)pointer, &owner);
    return block && block->freed_by < 0 ? block->size : 0;
}

/* --- Executions --- */

void heap_snapshot(void)
{
    heap_init();
    for (uint32_t i = 0; i < HEAP->nused; i++) {
        struct heap_arena *arena = &HEAP->arena[HEAP->used[i]];
        /* Old and new blocks share no page, so restoring the old ones does not touch the new
         * ones. */
        if (arena->nblocks > 0)
            arena->bump = (arena->bump + PAGE - 1) & ~(PAGE - 1);
        if (arena->bump > arena->dirty)
            arena->dirty = arena->bump;
        arena->old_bump = arena->bump;
        arena->old_blocks = arena->settled = arena->nblocks;
        arena->old_allocations = arena->allocations;
        arena->freed = (struct heap_queue){0};
        arena->sorted = false;
        arena->used = false;
    }
    HEAP->nused = 0;
    HEAP->old_stacks = HEAP->nstacks;
}

void heap_snapshot_ranges(void (*range)(uint64_t low, uint64_t high, void *context),
                          void *context)
{
    for (int tid = 0; tid < THREADS_MAX; tid++) {
        const struct heap_arena *arena = &HEAP->arena[tid];
        if (arena->old_blocks > 0)
            range(heap_arena_base(tid) + first_offset(tid) / PAGE * PAGE,
                  heap_arena_base(tid) + arena->old_bump, context);
    }
}

static uint64_t hash_blocks(uint64_t seed, int tid)
{
    const struct heap_arena *arena = &HEAP->arena[tid];
    const struct heap_block *table = heap_table(tid);
    for (uint32_t next = arena->undo; next; next = table[next - 1].next)
        seed = XXH3_64bits_withSeed(&next, sizeof next, seed);
    for (uint32_t i = arena->old_blocks; i < arena->nblocks; i++) {
        const struct heap_block *block = &table[i];
        uint64_t facts[2] = {block->size, (uint64_t)block->freed_by};
        seed = XXH3_64bits_withSeed(facts, sizeof facts, seed);
        if (block->freed_by < 0)
            seed = XXH3_64bits_withSeed(
                (const void *)(heap_arena_base(tid) + (uint64_t)block->data * HEAP_GRANULE),
                block->size, seed);
    }
    return seed;
}

uint64_t heap_hash(uint64_t seed)
{
    for (int tid = 0; tid < THREADS_MAX; tid++) {
        const struct heap_arena *arena = &HEAP->arena[tid];
        if (arena->nblocks > arena->old_blocks || arena->undo)
            seed = hash_blocks(seed ^ (uint64_t)tid, tid);
    }
    return seed;
}

static void rewind_arena(int tid)
{
    struct heap_arena *arena = &HEAP->arena[tid];
    struct heap_block *table = heap_table(tid);
    for (uint32_t next = arena->undo; next;) {
        struct heap_block *block = &table[next - 1];
        next = block->next;
        block->freed_by = -1;
        heap_stamp_block(tid, block, 0);
    }
    arena->undo = 0;
    arena->bump = arena->old_bump;
    arena->nblocks = arena->settled = arena->old_blocks;
    arena->allocations = arena->old_allocations;
    arena->freed = (struct heap_queue){0};
    arena->sorted = false;
    arena->used = false;
}

/* After 2^24 executions the stamps are used up: clears all words and writes those of the old
 * blocks again. */
static void restart_stamps(void)
{
    rt_discard(RT_HEAP_SHADOW, HEAP_BYTES / HEAP_GRANULE * sizeof(uint32_t));
    for (int tid = 0; tid < THREADS_MAX; tid++)
        for (uint32_t i = 0; i < HEAP->arena[tid].old_blocks; i++)
            if (heap_table(tid)[i].freed_by < 0)
                heap_stamp_block(tid, &heap_table(tid)[i], 0);
    HEAP->hot.stamp = STAMP_STEP;
}

void heap_begin(void)
{
    for (uint32_t i = 0; i < HEAP->nused; i++)
        rewind_arena(HEAP->used[i]);
    HEAP->nused = 0;
    HEAP->nstacks = HEAP->old_stacks;
    HEAP->hot.stamp += STAMP_STEP;
    if (HEAP->hot.stamp == 0)
        restart_stamps();
}

/* --- Checkpoints --- */

void heap_settle(void)
{
    struct heap_arena *arena = heap_use_arena(0);
    if (arena->nblocks > arena->old_blocks)
        arena->bump = (arena->bump + PAGE - 1) & ~(PAGE - 1);
    if (arena->bump > arena->dirty)
        arena->dirty = arena->bump;
    arena->settled = arena->nblocks;
    arena->freed = (struct heap_queue){0};
    arena->sorted = false;
}

uint64_t heap_new_memory(int tid)
{
    const struct heap_arena *arena = &HEAP->arena[tid];
    return heap_arena_base(tid) +
           (arena->old_blocks > 0 ? arena->old_bump : first_offset(tid) / PAGE * PAGE);
}

/* The blocks of this execution so far become old ones: they are valid whatever the stamp, and
 * everything that follows happens after their allocation. */
static void adopt_blocks(uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        struct heap_block *block = &heap_table(0)[i];
        block->birth = 0;
        if (block->freed_by < 0)
            heap_stamp_block(0, block, 0);
    }
}

bool heap_advance(uint64_t *low, uint64_t *high)
{
    struct heap_arena *arena = &HEAP->arena[0];
    if (HEAP->nused != 1 || !arena->used || HEAP->advanced)
        return false;
    must(arena->settled == arena->nblocks && !heap_stack);
    HEAP->advanced = true;
    HEAP->start = (struct heap_start){arena->old_bump, arena->old_blocks,
                                      arena->old_allocations, arena->undo};
    *low = heap_new_memory(0);
    *high = heap_arena_base(0) + arena->bump;
    if (arena->nblocks == arena->old_blocks)
        *high = *low;
    adopt_blocks(arena->old_blocks, arena->nblocks);
    arena->old_bump = arena->bump;
    arena->old_blocks = arena->nblocks;
    arena->old_allocations = arena->allocations;
    arena->undo = 0;
    return true;
}

void heap_go_back(void)
{
    must(HEAP->advanced);
    for (uint32_t i = 0; i < HEAP->nused; i++)
        rewind_arena(HEAP->used[i]);
    HEAP->nused = 0;
    struct heap_arena *arena = &HEAP->arena[0];
    for (uint32_t i = HEAP->start.blocks; i < arena->nblocks; i++) {
        const struct heap_block *block = &heap_table(0)[i];
        if (block->freed_by < 0)
            heap_unstamp_block(0, block);
    }
    arena->old_bump = HEAP->start.bump;
    arena->old_blocks = HEAP->start.blocks;
    arena->old_allocations = HEAP->start.allocations;
    arena->undo = HEAP->start.undo;
    rewind_arena(0);
    HEAP->advanced = false;
}
