/* Vector clocks of the race detector, and the memory for everything that lives for one
 * execution: clocks and further records of cells. It comes from one array that is reused from
 * the start in each execution. Freed pieces are kept in lists by size, so that a location that
 * alternates between shared reading and writing does not use up memory.
 *
 * Entries are epochs (clock << 9 | tid) rather than bare clocks: entries of one column compare
 * like their clocks, and an epoch can be compared with an entry without shifting. */
#include "base/must.h"
#include "runtime/memory/memory.h"
#include "runtime/race/race.h"
#include "runtime/race/race_private.h"

#define CLOCKS_SIZE (UINT64_C(64) << 30)

typedef uint32_t lanes __attribute__((vector_size(4 * RACE_LANES), aligned(4), may_alias));

static uint32_t take_units(uint32_t count)
{
    uint32_t index = RACE->next_unit;
    if (index > CLOCKS_SIZE / RACE_UNIT - 1 - count)
        rt_starved("out of memory for vector clocks: the execution is too long");
    RACE->next_unit = index + count;
    return index;
}

uint32_t race_record_new(void)
{
    uint32_t index = RACE->free_record;
    if (!index)
        return take_units(sizeof(struct race_cell) / RACE_UNIT);
    RACE->free_record = ((struct race_cell *)race_unit(index))->next;
    return index;
}

void race_record_free(uint32_t index)
{
    ((struct race_cell *)race_unit(index))->next = RACE->free_record;
    RACE->free_record = index;
}

/* The contents are undefined. */
static uint32_t clock_take(uint32_t capacity)
{
    uint32_t *list = &RACE->free_clock[capacity / RACE_LANES];
    uint32_t index = *list;
    if (index)
        *list = race_clock_at(index)->next_free;
    else
        index = take_units((uint32_t)(sizeof(struct race_clock) + 4 * capacity) / RACE_UNIT);
    race_clock_at(index)->capacity = capacity;
    race_clock_at(index)->heads = 0;
    return index;
}

static void copy_lanes(uint32_t *to, const uint32_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i += RACE_LANES)
        *(lanes *)(to + i) = *(const lanes *)(from + i);
}

static void zero_lanes(uint32_t *to, uint32_t from, uint32_t width)
{
    for (uint32_t i = from; i < width; i += RACE_LANES)
        *(lanes *)(to + i) = (lanes){0};
}

static void join_lanes(uint32_t *into, const uint32_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i += RACE_LANES) {
        lanes a = *(lanes *)(into + i), b = *(const lanes *)(from + i);
        lanes greater = (lanes)(a > b);
        *(lanes *)(into + i) = (a & greater) | (b & ~greater);
    }
}

uint32_t race_clock_new(void)
{
    uint32_t index = clock_take(RACE->width);
    struct race_clock *clock = race_clock_at(index);
    clock->published = 0;
    zero_lanes(clock->entry, 0, clock->capacity);
    return index;
}

static void give_back(uint32_t index)
{
    must(index);
    struct race_clock *clock = race_clock_at(index);
    uint32_t *list = &RACE->free_clock[clock->capacity / RACE_LANES];
    clock->next_free = *list;
    *list = index;
}

void race_clock_drop_heads(uint32_t index)
{
    uint32_t head = race_clock_at(index)->heads;
    race_clock_at(index)->heads = 0;
    while (head && head != RACE_HEADS_LOST) {
        uint32_t next = race_clock_at(head)->heads;
        give_back(head);
        head = next;
    }
}

void race_clock_free(uint32_t index)
{
    race_clock_drop_heads(index);
    give_back(index);
}

uint32_t race_clock_duplicate(uint32_t index)
{
    const struct race_clock *original = race_clock_at(index);
    uint32_t copy = clock_take(original->capacity);
    race_clock_at(copy)->published = original->published;
    copy_lanes(race_clock_at(copy)->entry, original->entry, original->capacity);
    uint32_t heads = original->heads;
    if (heads && heads != RACE_HEADS_LOST)
        heads = race_clock_duplicate(heads); /* a list of at most one head per thread */
    race_clock_at(copy)->heads = heads;
    return copy;
}

struct race_clock *race_clock_grow(uint32_t *slot)
{
    struct race_clock *clock = race_clock_at(*slot);
    uint32_t index = clock_take(RACE->width);
    struct race_clock *wider = race_clock_at(index);
    wider->published = clock->published;
    wider->heads = clock->heads;
    clock->heads = 0;
    copy_lanes(wider->entry, clock->entry, clock->capacity);
    zero_lanes(wider->entry, clock->capacity, wider->capacity);
    race_clock_free(*slot);
    *slot = index;
    return wider;
}

void race_clock_acquire(int tid, uint32_t index)
{
    const struct race_clock *clock = race_clock_at(index);
    uint32_t *row = RACE->hot.clock[tid];
    if (!clock->published || !race_ordered(row, clock->published))
        join_lanes(row, clock->entry, clock->capacity);
}

void race_clock_publish(uint32_t *slot, const uint32_t *from, uint32_t width, uint32_t epoch,
                        bool join)
{
    if (!*slot) {
        *slot = clock_take(RACE->width);
        join = false;
    }
    struct race_clock *clock = race_clock_widen(slot);
    uint32_t known = clock->published;
    if (join && !(known && (known & RACE_TID_MASK) < width && race_ordered(from, known))) {
        join_lanes(clock->entry, from, width);
        clock->published = 0;
        return;
    }
    copy_lanes(clock->entry, from, width);
    zero_lanes(clock->entry, width, clock->capacity);
    clock->published = epoch;
}

void race_clock_tick(int tid)
{
    uint32_t *own = &RACE->hot.clock[tid][tid];
    uint32_t next = *own + RACE_TICK;
    if (next < *own)
        RACE->overflowed = true;
    else
        *own = next;
}
