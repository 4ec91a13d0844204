/* See heap_map.h. A heap block has no name of its own; people know it by the pointers to it:
 * `acc->balance`, `bank->accounts[1]->m`. This file looks for such pointers while the program's
 * memory still exists: in the data of instrumented modules, in the frames of threads, and in
 * live heap blocks. Every aligned word that is the address of live heap memory counts; the
 * parent keeps those that are a typed variable, or part of one.
 *
 * The board has room for a limited number, and large areas are read only in part. What is left
 * out costs a name, nothing else. */
#include "runtime/evidence/heap_map.h"

#include <string.h>

#include "runtime/core/runtime.h"
#include "runtime/evidence/home.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/maps.h"
#include "runtime/memory/stacks.h"

#define AREA_MOST (UINT64_C(4) << 20) /* bytes read of one mapping or block */

static void note_pointer(uint64_t address, uint64_t value)
{
    struct board *board = rt.board;
    if (board->npointers == BOARD_POINTERS)
        return;
    struct board_pointer *pointer = &board->pointer[board->npointers++];
    pointer->address = address;
    pointer->value = value;
    if (stacks_have(address))
        home_find(address, &pointer->home);
    else
        pointer->home.kind = HOME_NONE;
}

static void read_area(uint64_t from, uint64_t to)
{
    if (to - from > AREA_MOST)
        to = from + AREA_MOST;
    for (uint64_t at = (from + 7) & ~UINT64_C(7); at + 8 <= to; at += 8) {
        uint64_t value = *(const uint64_t *)at;
        if (heap_contains(value) && heap_check(value, 1) == HEAP_OK)
            note_pointer(at, value);
    }
}

/* Pages that nothing has written yet are read-only, so read-only mappings count, too. */
static void read_module_data(const struct maps_line *line, void *context)
{
    (void)context;
    if (line->permissions[0] != 'r' || line->permissions[2] == 'x')
        return;
    for (uint32_t i = 0; i < rt.board->nmodules; i++) {
        const struct board_module *module = &rt.board->module[i];
        if (module->instrumented && line->start >= module->start && line->start < module->end)
            read_area(line->start, line->end);
    }
}

static void read_stack(const struct thread *thread)
{
    uint32_t count = thread->nframes < FRAMES_MAX ? thread->nframes : FRAMES_MAX;
    uint64_t base = (uint64_t)(uintptr_t)thread->fiber.base;
    uint64_t low = count ? thread->frame[count - 1].sp + 16 : 0; /* skip the hook's two words */
    if (low && stacks_have(low) && thread_owns_stack(thread, low))
        read_area(low, base);
}

static void note_block(const struct board_block *block, void *context)
{
    (void)context;
    struct board *board = rt.board;
    uint64_t length = block->size < BOARD_HEAP_HEAD ? block->size : BOARD_HEAP_HEAD;
    if (board->nheap == BOARD_HEAP)
        return;
    board->heap[board->nheap] = *block;
    memset(board->heap_head[board->nheap], 0, BOARD_HEAP_HEAD);
    memcpy(board->heap_head[board->nheap++], (const void *)(uintptr_t)block->base, length);
}

static void read_block(const struct board_block *block, void *context)
{
    (void)context;
    read_area(block->base, block->base + block->size);
}

void heap_map_take(void)
{
    rt.board->nheap = 0;
    rt.board->npointers = 0;
    heap_each(note_block, NULL);
    maps_each(read_module_data, NULL);
    for (uint32_t t = 0; t < rt.used; t++)
        read_stack(&rt.thread[t]);
    heap_each(read_block, NULL);
}
