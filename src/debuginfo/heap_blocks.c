/* See heap_blocks.h. */
#include "debuginfo/heap_blocks.h"

#include <stdlib.h>
#include <string.h>

static int by_base(const void *left, const void *right)
{
    uint64_t a = (*(const struct board_block *const *)left)->base;
    uint64_t b = (*(const struct board_block *const *)right)->base;
    return a < b ? -1 : a > b;
}

/* Of one address, the block of the earlier event first. */
static int by_base_and_event(const void *left, const void *right)
{
    int order = by_base(left, right);
    uintptr_t a = (uintptr_t) * (const struct board_block *const *)left;
    uintptr_t b = (uintptr_t) * (const struct board_block *const *)right;
    return order ? order : a < b ? -1 : a > b;
}

static int by_value(const void *left, const void *right)
{
    const struct board_pointer *a = *(const struct board_pointer *const *)left;
    const struct board_pointer *b = *(const struct board_pointer *const *)right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

static void note_held(struct heap_names *names, uint64_t address, uint64_t value)
{
    struct held_values *held = table_put(&names->held, address, 0, NULL);
    held->several |= value && held->value && held->value != value;
    held->value = value ? value : held->value;
}

static void collect_mentioned(struct heap_names *names, const struct board *board)
{
    size_t kept = 0, count = 0;
    names->mentioned = allocate((board->nevents + 1) * sizeof *names->mentioned);
    for (uint32_t i = 0; i < board->nevents; i++)
        if (board->event[i].block.base)
            names->mentioned[count++] = &board->event[i].block;
    qsort(names->mentioned, count, sizeof *names->mentioned, by_base_and_event);
    for (size_t i = 0; i < count; i++)
        if (!kept || names->mentioned[kept - 1]->base != names->mentioned[i]->base)
            names->mentioned[kept++] = names->mentioned[i];
    names->nmentioned = kept;
}

struct heap_names *heap_names_of(struct symboliser *symboliser)
{
    if (symboliser->heap)
        return symboliser->heap;
    const struct board *board = symboliser->board;
    struct heap_names *names = symboliser->heap = allocate(sizeof *names);
    table_init(&names->object, symboliser->pool, sizeof(struct heap_object *));
    table_init(&names->last, symboliser->pool, sizeof(struct heap_object *));
    table_init(&names->site, symboliser->pool, sizeof(uint64_t));
    table_init(&names->label, symboliser->pool, sizeof(uint64_t));
    table_init(&names->path, symboliser->pool, sizeof(uint64_t));
    table_init(&names->held, symboliser->pool, sizeof(struct held_values));
    names->live = allocate((board->nheap + 1) * sizeof *names->live);
    names->pointer = allocate((board->npointers + 1) * sizeof *names->pointer);
    for (uint32_t i = 0; i < board->nheap; i++)
        names->live[names->nlive++] = &board->heap[i];
    for (uint32_t i = 0; i < board->npointers; i++)
        names->pointer[names->npointers++] = &board->pointer[i];
    for (uint32_t i = 0; i < board->nevents; i++) {
        const struct board_event *event = &board->event[i];
        if (!event->has_values || event->op.size != 8)
            continue;
        note_held(names, event->address, event->before);
        note_held(names, event->address, event->after);
    }
    collect_mentioned(names, board);
    qsort(names->live, names->nlive, sizeof *names->live, by_base);
    qsort(names->pointer, names->npointers, sizeof *names->pointer, by_value);
    return names;
}

struct heap_object *heap_object_of(struct symboliser *symboliser,
                                   const struct board_block *block)
{
    struct heap_names *names = heap_names_of(symboliser);
    struct heap_object **object = table_put(&names->object, block->base,
                                            (uint64_t)block->tid << 32 | block->number, NULL);
    if (!*object) {
        *object = arena_alloc(symboliser->arena, sizeof **object);
        (*object)->block = block;
    }
    return *object;
}

const struct board_block *block_around(const struct board_block *const *block, size_t count,
                                       uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (block[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address - block[low - 1]->base < block[low - 1]->size ? block[low - 1] : NULL;
}

const struct board_block *live_block(const struct heap_names *names, uint64_t address)
{
    return block_around(names->live, names->nlive, address);
}

size_t first_pointer(const struct heap_names *names, uint64_t value)
{
    size_t low = 0, high = names->npointers;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (names->pointer[middle]->value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const unsigned char *heap_bytes(struct symboliser *symboliser, uint64_t address, size_t *count)
{
    const struct board *board = symboliser->board;
    const struct board_block *block = live_block(heap_names_of(symboliser), address);
    uint64_t offset = block ? address - block->base : BOARD_HEAP_HEAD;
    uint64_t known = block && block->size < BOARD_HEAP_HEAD ? block->size : BOARD_HEAP_HEAD;
    if (offset >= known)
        return NULL;
    *count = (size_t)(known - offset);
    return board->heap_head[block - board->heap] + offset;
}

const struct board_block *symbolise_live_block(struct symboliser *symboliser, uint64_t address)
{
    return live_block(heap_names_of(symboliser), address);
}

void heap_names_free(struct symboliser *symboliser)
{
    if (symboliser->heap) {
        free(symboliser->heap->live);
        free(symboliser->heap->mentioned);
        free(symboliser->heap->pointer);
    }
    free(symboliser->heap);
    symboliser->heap = NULL;
}
