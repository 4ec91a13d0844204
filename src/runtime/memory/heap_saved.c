/* The heap at a checkpoint on the path: per arena that the execution uses, its record, the
 * blocks that are new and their memory, and the old blocks that were freed. What the shadow
 * says of these is written again, with the stamp of the execution that goes on from there.
 *
 * Contents of old blocks are pages of the snapshot, which saves them. */
#include <string.h>

#include "base/must.h"
#include "runtime/memory/heap_private.h"

static size_t record_size(const struct heap_arena *arena)
{
    return arena->sorted ? sizeof *arena : offsetof(struct heap_arena, class);
}

static void save_arena(struct saved *saved, int tid)
{
    const struct heap_arena *arena = &HEAP->arena[tid];
    const struct heap_block *table = heap_table(tid);
    uint64_t low = heap_new_memory(tid), high = heap_arena_base(tid) + arena->bump;
    saved_add(saved, &tid, sizeof tid);
    saved_add(saved, arena, sizeof *arena);
    saved_add(saved, &table[arena->old_blocks],
              (arena->nblocks - arena->old_blocks) * sizeof *table);
    for (uint32_t next = arena->undo; next; next = table[next - 1].next)
        saved_add(saved, &table[next - 1], sizeof *table);
    if (arena->nblocks > arena->old_blocks)
        saved_add(saved, (const void *)low, high - low);
}

void heap_save(struct saved *saved)
{
    saved_add(saved, &HEAP->nused, sizeof HEAP->nused);
    for (uint32_t i = 0; i < HEAP->nused && !saved->full; i++)
        save_arena(saved, HEAP->used[i]);
}

/* The large block owns its pages again: another execution may have laid out the arena
 * differently. */
static void own_pages(int tid, const struct heap_block *block, uint32_t index)
{
    uint64_t from = (uint64_t)block->data * HEAP_GRANULE / HEAP_PAGE;
    uint64_t bytes = ((uint64_t)block->data + block->capacity) * HEAP_GRANULE;
    for (uint64_t page = from; page * HEAP_PAGE < bytes; page++)
        heap_pages(tid)[page] = index;
}

static void put_back_arena(struct saved *saved)
{
    int tid;
    saved_take(saved, &tid, sizeof tid);
    const struct heap_arena *was = saved_next(saved, sizeof *was);
    struct heap_arena *arena = heap_use_arena(tid);
    struct heap_block *table = heap_table(tid);
    uint64_t open = arena->open, dirty = arena->dirty;
    must(arena->old_blocks == was->old_blocks && open >= was->open && dirty >= was->dirty);
    memcpy(arena, was, record_size(was));
    arena->open = open;
    arena->dirty = dirty;
    saved_take(saved, &table[was->old_blocks],
               (was->nblocks - was->old_blocks) * sizeof *table);
    for (uint32_t i = was->old_blocks; i < was->nblocks; i++) {
        if (table[i].large)
            own_pages(tid, &table[i], i);
        else if (table[i].freed_by < 0)
            heap_stamp_block(tid, &table[i], HEAP->hot.stamp);
    }
    for (uint32_t next = was->undo; next; next = table[next - 1].next) {
        saved_take(saved, &table[next - 1], sizeof *table);
        heap_unstamp_block(tid, &table[next - 1]);
    }
    uint64_t low = heap_new_memory(tid), high = heap_arena_base(tid) + was->bump;
    if (was->nblocks > was->old_blocks)
        saved_take(saved, (void *)low, high - low);
}

void heap_put_back(struct saved *saved)
{
    uint32_t count;
    saved_take(saved, &count, sizeof count);
    while (count-- > 0)
        put_back_arena(saved);
}
