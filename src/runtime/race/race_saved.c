/* The race detector at a checkpoint. What belongs to an execution bears its stamp, so what
 * later executions noted is empty already when an execution begins; what was there at the
 * checkpoint is put back with the new stamp.
 *
 *   pages of cells   the parts of a page that are in use (struct race_page)
 *   units            clocks and further records: all of them, they lie one after the other
 *   objects          by name, since the table may have grown */
#include <string.h>

#include "base/must.h"
#include "runtime/race/race_private.h"

#define PART_CELLS 8
#define PART_BYTES (PART_CELLS * sizeof(struct race_cell))

struct saved_race {
    bool concurrent, overflowed;
    int nthreads;
    uint32_t width, next_unit, free_record, npages;
    uint32_t free_clock[THREADS_MAX / RACE_LANES + 1];
};

struct saved_page {
    struct race_page *page;
    uint64_t parts;
};

static struct race_cell *part_at(struct race_page *page, int part)
{
    return &page->cell[part * PART_CELLS];
}

static int next_part(uint64_t parts)
{
    return parts ? __builtin_ctzll(parts) : -1;
}

static void save_page(struct saved *saved, struct race_page *page)
{
    struct saved_page head = {page, page->parts};
    saved_add(saved, &head, sizeof head);
    for (uint64_t left = page->parts; left; left &= left - 1) {
        struct race_cell *copy = saved_room(saved, PART_BYTES);
        if (!copy)
            return;
        memcpy(copy, part_at(page, next_part(left)), PART_BYTES);
        for (int i = 0; i < PART_CELLS; i++)
            if (!race_is_current(&copy[i]))
                copy[i].key = 0;
    }
}

static void save_pages(struct saved *saved)
{
    uint32_t *count = saved_room(saved, sizeof *count);
    if (!count)
        return;
    *count = 0;
    for (uint32_t i = 0; i < RACE->npages && !saved->full; i++) {
        struct race_page *page = (struct race_page *)RT_RACE_CELLS + i;
        if (page->stamp_key != RACE->stamp_key)
            continue;
        save_page(saved, page);
        ++*count;
    }
}

void race_save(struct saved *saved)
{
    struct saved_race head = {
        RACE->hot.concurrent, RACE->overflowed,  RACE->nthreads, RACE->width,
        RACE->next_unit,      RACE->free_record, RACE->npages,   {0}};
    memcpy(head.free_clock, RACE->free_clock, sizeof head.free_clock);
    saved_add(saved, &head, sizeof head);
    for (int tid = 0; tid < head.nthreads; tid++)
        saved_add(saved, RACE->hot.clock[tid], head.width * sizeof(uint32_t));
    saved_add(saved, RACE->release_fence, (size_t)head.nthreads * sizeof(uint32_t));
    saved_add(saved, RACE->pending, (size_t)head.nthreads * sizeof(uint32_t));
    saved_add(saved, race_unit(1), (size_t)(head.next_unit - 1) * RACE_UNIT);
    save_pages(saved);
    race_objects_save(saved);
}

/* The cell and the records after it bear the stamp of the execution that was saved. */
static void stamp_cell(struct race_cell *cell)
{
    const uint64_t low = (UINT64_C(1) << RACE_STAMP_SHIFT) - 1;
    for (;;) {
        cell->key = RACE->stamp_key | (cell->key & low);
        if (!cell->next)
            return;
        cell = race_unit(cell->next);
    }
}

static void put_back_page(struct saved *saved)
{
    struct saved_page head;
    saved_take(saved, &head, sizeof head);
    head.page->stamp_key = RACE->stamp_key;
    head.page->parts = head.parts;
    for (uint64_t left = head.parts; left; left &= left - 1) {
        struct race_cell *cell = part_at(head.page, next_part(left));
        saved_take(saved, cell, PART_BYTES);
        for (int i = 0; i < PART_CELLS; i++)
            if (cell[i].key != 0)
                stamp_cell(&cell[i]);
    }
}

void race_put_back(struct saved *saved)
{
    const struct saved_race *head = saved_next(saved, sizeof *head);
    must(RACE->npages >= head->npages);
    RACE->hot.concurrent = head->concurrent;
    RACE->overflowed = head->overflowed;
    RACE->nthreads = head->nthreads;
    RACE->width = head->width;
    RACE->next_unit = head->next_unit;
    RACE->free_record = head->free_record;
    memcpy(RACE->free_clock, head->free_clock, sizeof head->free_clock);
    for (int tid = 0; tid < head->nthreads; tid++)
        saved_take(saved, RACE->hot.clock[tid], head->width * sizeof(uint32_t));
    saved_take(saved, RACE->release_fence, (size_t)head->nthreads * sizeof(uint32_t));
    saved_take(saved, RACE->pending, (size_t)head->nthreads * sizeof(uint32_t));
    saved_take(saved, race_unit(1), (size_t)(head->next_unit - 1) * RACE_UNIT);
    uint32_t pages;
    saved_take(saved, &pages, sizeof pages);
    while (pages-- > 0)
        put_back_page(saved);
    race_objects_put_back(saved);
}
