/* Happens-before edges of atomics, fences and synchronisation objects.
 *
 * Let C be a thread's clock, L a location's release clock (what the heads of the release
 * sequences of its value have published), F a thread's clock at its last release fence, and P
 * the join of the release clocks that its relaxed loads have seen:
 *
 *   load relaxed    P ⊔= L            store relaxed   L := F (or nothing); before C++20:
 *                                                     F and what the thread's own heads hold
 *   load acquire    C ⊔= L            store release   L := C
 *   rmw             as the load, then L ⊔= F (relaxed) or L ⊔= C (release)
 *   fence acquire   C ⊔= P            fence release   F := C
 *
 * (C11 5.1.2.4 and 7.17.3-4, C++20 for release sequences, or the rule before it.) Every
 * operation that publishes C advances the thread's epoch, so what the thread does next is not
 * covered. An acquire load is checked after acquiring: what happened before the release happens
 * before the load itself.
 *
 * The records of the bytes contain L, so accesses of different sizes to one location
 * synchronise through the bytes that they share. */
#include "base/hash.h"
#include "base/must.h"
#include "runtime/memory/memory.h"
#include "runtime/race/race.h"
#include "runtime/race/race_guard.h"
#include "runtime/race/race_private.h"

static bool is_acquire(int order)
{
    return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static bool is_release(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* --- Atomics --- */

/* A relaxed load saw the clock: a later acquire fence needs it. */
static void pend_release(int tid, uint32_t sync)
{
    const struct race_clock *clock = race_clock_at(sync);
    uint32_t known = clock->published;
    if (known && race_ordered(RACE->hot.clock[tid], known))
        return;
    race_clock_publish(&RACE->pending[tid], clock->entry, clock->capacity, known, true);
}

static inline void read_granule(int tid, uint64_t granule, uint64_t mask, int order)
{
    const struct race_cell *record = race_cell_find(granule);
    while (record) {
        if ((record->key & mask) && record->sync) {
            if (is_acquire(order))
                race_clock_acquire(tid, record->sync);
            else
                pend_release(tid, record->sync);
        }
        record = record->next ? race_unit(record->next) : NULL;
    }
}

static inline void read_sync(int tid, uint64_t address, size_t size, int order)
{
    uint64_t single = race_single_mask(address, size);
    if (single)
        read_granule(tid, address & ~UINT64_C(7), single, order);
    else
        RACE_EACH_GRANULE(address, size, granule, mask)
    read_granule(tid, granule, mask, order);
}

static bool is_ignored(uint64_t address, size_t size)
{
    return !RACE->hot.concurrent || race_outside(address, size);
}

void race_atomic_load(int tid, uint64_t address, size_t size, int order, uint64_t pc)
{
    if (is_ignored(address, size))
        return;
    read_sync(tid, address, size, order);
    struct race_access access = race_access_make(tid, RACE_ATOMIC_READ, address, size, pc);
    race_guard_touch(tid, access.kind, address, size);
    race_touch_all(&access);
}

void race_use(int tid, uint64_t address, size_t size, uint64_t pc)
{
    race_await(tid, address, size, false, pc);
}

void race_await(int tid, uint64_t address, size_t size, bool stores, uint64_t pc)
{
    if (is_ignored(address, size))
        return;
    enum race_kind kind = stores ? RACE_ATOMIC_WRITE : RACE_ATOMIC_READ;
    struct race_access access = race_access_make(tid, kind, address, size, pc);
    access.keeps_sequence = stores;
    race_guard_touch(tid, access.kind, address, size);
    race_touch_all(&access);
}

static void atomic_write(int tid, uint64_t address, size_t size, int order, uint64_t pc,
                         bool keeps_sequence)
{
    struct race_access access = race_access_make(tid, RACE_ATOMIC_WRITE, address, size, pc);
    access.keeps_sequence = keeps_sequence;
    if (!keeps_sequence && !is_release(order) && race_old_rule)
        access.keeps_own = race_old_rule(pc);
    if (is_release(order)) {
        access.release = access.row;
        access.release_width = RACE->width;
        access.release_epoch = access.epoch;
    } else if (RACE->release_fence[tid]) {
        const struct race_clock *fence = race_clock_at(RACE->release_fence[tid]);
        access.release = fence->entry;
        access.release_width = fence->capacity;
        access.release_epoch = fence->published;
    }
    race_guard_touch(tid, access.kind, address, size);
    race_touch_all(&access);
    if (is_release(order))
        race_clock_tick(tid);
}

void race_atomic_store(int tid, uint64_t address, size_t size, int order, uint64_t pc)
{
    if (!is_ignored(address, size))
        atomic_write(tid, address, size, order, pc, false);
}

void race_atomic_rmw(int tid, uint64_t address, size_t size, int order, uint64_t pc)
{
    if (is_ignored(address, size))
        return;
    read_sync(tid, address, size, order);
    atomic_write(tid, address, size, order, pc, true);
}

/* --- Objects --- */

static void publish_thread(int tid, uint32_t *slot, bool join)
{
    uint32_t *row = RACE->hot.clock[tid];
    race_clock_publish(slot, row, RACE->width, row[tid], join);
    race_clock_tick(tid);
}

void race_fence(int tid, int order)
{
    if (!RACE->hot.concurrent)
        return;
    if (is_acquire(order) && RACE->pending[tid]) {
        race_clock_acquire(tid, RACE->pending[tid]);
        race_clock_free(RACE->pending[tid]);
        RACE->pending[tid] = 0;
    }
    if (is_release(order))
        publish_thread(tid, &RACE->release_fence[tid], false);
}

/* A hash table by name. An entry of another execution counts as empty. The tables of all sizes
 * lie one after the other in memory, so growing never overwrites what is being copied. */
struct object {
    uint64_t name;
    uint64_t stamp_key;
    uint32_t sync;
    uint32_t reserved;
};

#define OBJECT_BITS_FIRST 8
#define OBJECT_BITS_LAST  28

static struct object *object_table(uint32_t bits)
{
    return (struct object *)RT_RACE_OBJECTS + (UINT64_C(1) << bits);
}

static struct object *object_slot(uint64_t name)
{
    uint32_t bits = RACE->object_bits;
    struct object *table = object_table(bits);
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t i = hash_slot(name, bits);
    while (table[i].stamp_key == RACE->stamp_key && table[i].name != name)
        i = (i + 1) & mask;
    return &table[i];
}

static struct object *object_insert(uint64_t name, uint32_t sync)
{
    struct object *object = object_slot(name);
    *object = (struct object){.name = name, .stamp_key = RACE->stamp_key, .sync = sync};
    return object;
}

static void object_grow(void)
{
    uint32_t bits = RACE->object_bits;
    if (bits == OBJECT_BITS_LAST)
        rt_fatal("too many synchronisation objects");
    const struct object *old = object_table(bits);
    RACE->object_bits = bits ? bits + 1 : OBJECT_BITS_FIRST;
    for (uint64_t i = 0; bits && i < UINT64_C(1) << bits; i++)
        if (old[i].stamp_key == RACE->stamp_key)
            object_insert(old[i].name, old[i].sync);
}

/* The object's clock, NULL if it has none yet. */
static uint32_t *object_find(uint64_t name)
{
    if (!RACE->nobjects)
        return NULL;
    struct object *object = object_slot(name);
    return object->stamp_key == RACE->stamp_key ? &object->sync : NULL;
}

static uint32_t *object_make(uint64_t name)
{
    uint32_t *sync = object_find(name);
    if (sync)
        return sync;
    if (!RACE->object_bits || RACE->nobjects >= UINT32_C(1) << (RACE->object_bits - 1))
        object_grow();
    must(RACE->nobjects < UINT32_C(1) << RACE->object_bits);
    RACE->nobjects++;
    return &object_insert(name, 0)->sync;
}

/* --- Checkpoints (race_saved.c) --- */

void race_objects_save(struct saved *saved)
{
    uint32_t count = RACE->nobjects;
    saved_add(saved, &count, sizeof count);
    const struct object *table = object_table(RACE->object_bits);
    for (uint64_t i = 0; count > 0; i++)
        if (table[i].stamp_key == RACE->stamp_key) {
            saved_add(saved, &table[i], sizeof table[i]);
            count--;
        }
}

/* The table is at least as large as it was. */
void race_objects_put_back(struct saved *saved)
{
    saved_take(saved, &RACE->nobjects, sizeof RACE->nobjects);
    for (uint32_t i = 0; i < RACE->nobjects; i++) {
        const struct object *object = saved_next(saved, sizeof *object);
        object_insert(object->name, object->sync);
    }
}

void race_acquire(int tid, uint64_t object)
{
    const uint32_t *sync = RACE->hot.concurrent ? object_find(object) : NULL;
    if (sync && *sync)
        race_clock_acquire(tid, *sync);
}

void race_release(int tid, uint64_t object)
{
    if (RACE->hot.concurrent)
        publish_thread(tid, object_make(object), true);
}

void race_release_store(int tid, uint64_t object)
{
    if (RACE->hot.concurrent)
        publish_thread(tid, object_make(object), false);
}

void race_forget(uint64_t object)
{
    race_guard_forget(object);
    uint32_t *sync = object_find(object);
    if (!sync || !*sync)
        return;
    race_clock_free(*sync);
    *sync = 0;
}
