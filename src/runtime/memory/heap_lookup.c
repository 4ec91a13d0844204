/* Finds blocks by address: for the slow half of heap_check(), for free(), and for reports. */
#include <string.h>

#include "base/must.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/heap_private.h"
#include "runtime/memory/memory.h"

static int arena_of(uint64_t address)
{
    return (int)((address - HEAP_BASE) / HEAP_ARENA);
}

static uint64_t data_of(int tid, const struct heap_block *block)
{
    return heap_arena_base(tid) + block->data * (uint64_t)HEAP_GRANULE;
}

static uint64_t end_of(int tid, const struct heap_block *block)
{
    return data_of(tid, block) + block->capacity * (uint64_t)HEAP_GRANULE;
}

/* The block that the page table has for the address, if the entry is still valid: its extent
 * must contain the address. NULL: ask nearest_block(). */
static struct heap_block *block_by_page(uint64_t address)
{
    int tid = arena_of(address);
    uint32_t index = heap_pages(tid)[(address - heap_arena_base(tid)) / HEAP_PAGE];
    struct heap_block *block = &heap_table(tid)[index];
    if (index >= HEAP->arena[tid].nblocks || address < data_of(tid, block) ||
        address >= end_of(tid, block))
        return NULL;
    return block;
}

/* The last block whose data starts at or before the address. A header counts as part of its
 * block, so that a[-1] leads to a. NULL if there is none. */
static struct heap_block *nearest_block(uint64_t address)
{
    int tid = arena_of(address);
    struct heap_block *table = heap_table(tid);
    uint32_t low = 0, high = HEAP->arena[tid].nblocks;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint64_t start = data_of(tid, &table[middle]);
        if (start - (table[middle].large ? 0 : HEAP_GRANULE) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &table[low - 1] : NULL;
}

struct heap_block *heap_block_at(uint64_t address, int *owner)
{
    if (!heap_contains(address) || address % HEAP_GRANULE != 0)
        return NULL;
    int tid = arena_of(address);
    uint64_t offset = address - heap_arena_base(tid);
    struct heap_arena *arena = &HEAP->arena[tid];
    *owner = tid;
    if (offset < HEAP_GRANULE || offset >= arena->bump)
        return NULL;
    uint64_t hint = *(uint64_t *)(address - HEAP_GRANULE);
    struct heap_block *block = NULL;
    if (hint < arena->nblocks)
        block = &heap_table(tid)[hint];
    if (!block || data_of(tid, block) != address)
        block = nearest_block(address);
    return block && data_of(tid, block) == address ? block : NULL;
}

void heap_set_birth(void *pointer, uint32_t birth)
{
    int owner;
    struct heap_block *block = heap_block_at((uint64_t)pointer, &owner);
    if (block)
        block->birth = birth;
}

uint32_t heap_birth(uint64_t address, uint64_t *end)
{
    const struct heap_block *block = heap_contains(address) ? nearest_block(address) : NULL;
    if (!block || block->freed_by >= 0)
        return 0;
    *end = data_of(arena_of(address), block) + block->size;
    return address < *end ? block->birth : 0;
}

/* Bytes of the granule that belong to a live small block: 0..16 from its start. */
static uint32_t valid_bytes(uint64_t address)
{
    uint32_t word = heap_shadow(0)[(address - HEAP_BASE) / HEAP_GRANULE];
    uint32_t valid = word ^ HEAP->hot.stamp;
    if (valid <= HEAP_GRANULE)
        return valid;
    return word <= HEAP_GRANULE ? word : 0;
}

static bool inside_small(uint64_t address, size_t size)
{
    for (;;) {
        uint64_t offset = address % HEAP_GRANULE;
        uint32_t valid = valid_bytes(address);
        if (offset + size <= valid)
            return true;
        if (valid < HEAP_GRANULE)
            return false;
        uint64_t part = HEAP_GRANULE - offset;
        address += part;
        size -= part;
    }
}

/* From this size on, one lookup in the table of blocks is cheaper than a check of each
 * granule. */
#define LONG_ACCESS 512

int heap_check_slow(uint64_t address, size_t size)
{
    must(heap_contains(address));
    if (size == 0 || (size < LONG_ACCESS && inside_small(address, size)))
        return HEAP_OK;
    int tid = arena_of(address);
    const struct heap_block *block = block_by_page(address);
    if (!block)
        block = nearest_block(address);
    if (!block || address >= end_of(tid, block))
        return HEAP_UNALLOCATED;
    if (block->freed_by >= 0)
        return HEAP_USE_AFTER_FREE;
    uint64_t offset = address - data_of(tid, block);
    bool by_table = block->large || size >= LONG_ACCESS;
    if (by_table && offset < block->size && size <= block->size - offset)
        return HEAP_OK;
    return HEAP_OUT_OF_BOUNDS;
}

static void one_frame(struct board_stack *stack, uint64_t pc)
{
    stack->depth = 1;
    stack->pc[0] = pc;
}

static void describe_block(int tid, const struct heap_block *block, struct board_block *out)
{
    out->base = data_of(tid, block);
    out->size = block->size;
    out->tid = (uint32_t)tid;
    out->number = block->number;
    out->freed_by = block->freed_by;
    one_frame(&out->allocated, block->allocated_at);
    out->freed.depth = 0;
    out->freed_event = UINT32_MAX;
    if (block->freed_by >= 0)
        one_frame(&out->freed, block->freed_at);
    if (!block->stacks)
        return;
    const struct heap_stacks *stacks = &((struct heap_stacks *)RT_HEAP_STACKS)[block->stacks];
    out->allocated = stacks->allocated;
    if (block->freed_by >= 0) {
        out->freed = stacks->freed;
        out->freed_event = stacks->freed_event;
    }
}

bool heap_block(uint64_t address, struct board_block *out)
{
    const struct heap_block *block = heap_contains(address) ? nearest_block(address) : NULL;
    memset(out, 0, sizeof *out);
    if (!block)
        return false;
    describe_block(arena_of(address), block, out);
    return true;
}

static void visit_live(int tid, uint32_t first,
                       void (*visit)(const struct board_block *block, void *context),
                       void *context)
{
    struct board_block found;
    memset(&found, 0, sizeof found);
    for (uint32_t i = first; i < HEAP->arena[tid].nblocks; i++)
        if (heap_table(tid)[i].freed_by < 0) {
            describe_block(tid, &heap_table(tid)[i], &found);
            visit(&found, context);
        }
}

void heap_each(void (*visit)(const struct board_block *block, void *context), void *context)
{
    for (int tid = 0; tid < THREADS_MAX; tid++)
        visit_live(tid, 0, visit, context);
}

void heap_leaks(void (*leak)(const struct board_block *block, void *context), void *context)
{
    if (HEAP->advanced)
        visit_live(0, HEAP->start.blocks, leak, context);
    for (uint32_t i = 0; i < HEAP->nused; i++)
        if (!HEAP->advanced || HEAP->used[i] != 0)
            visit_live(HEAP->used[i], HEAP->arena[HEAP->used[i]].old_blocks, leak, context);
}
