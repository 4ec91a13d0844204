/* The race detector's executions, threads and cells. See race.h for the picture.
 *
 * FastTrack with three additions. (1) Atomic accesses have separate histories, since they
 * conflict with plain ones but not with each other. (2) The bytes of a granule are grouped into
 * records of bytes with the same history; an access to part of a record splits it, and bytes
 * whose first access is the same join the existing record. (3) Everything is stamped with the
 * execution.
 *
 * Invariants, as long as no race was reported in this execution:
 * - records of one granule have disjoint masks;
 * - `write` happened after every access to its bytes that the record no longer holds, so being
 *   ordered after it is enough;
 * - an epoch that a thread's own row does not exceed was published to it. */
#include "runtime/race/race.h"

#include <string.h>

#include "base/must.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/race/race_guard.h"
#include "runtime/race/race_private.h"

#define DIRECTORY_SIZE ((UINT64_C(1) << 47 >> 12) * sizeof(struct race_cell *))
#define CELLS_SIZE     (UINT64_C(1) << 40)
#define PAGES_KEPT     (1u << 16) /* 1 GiB of cells: the rest is freed between executions */
#define UNITS_KEPT     (1u << 22)

uint32_t (*race_birth)(uint64_t address, uint64_t *end);
bool (*race_old_rule)(uint64_t pc);
void (*race_wants_heads)(void);

void race_keep_heads(bool keep)
{
    RACE->keeps_heads = keep;
}

/* --- Executions and threads --- */

void race_init(void)
{
    rt_map_at(RT_RACE_STATE, sizeof(struct race_state));
    rt_map_at(RT_RACE_DIRECTORY, DIRECTORY_SIZE);
    rt_map_at(RT_RACE_CELLS, CELLS_SIZE);
    rt_map_at(RT_RACE_CLOCKS, UINT64_C(64) << 30);
    rt_map_at(RT_RACE_OBJECTS, UINT64_C(64) << 30);
    race_begin();
}

/* Mazur must not grow when the addresses of a program differ from execution to execution. */
static void give_back_memory(void)
{
    if (RACE->npages > PAGES_KEPT) {
        rt_discard(RT_RACE_DIRECTORY, DIRECTORY_SIZE);
        rt_discard(RT_RACE_CELLS, CELLS_SIZE);
        RACE->npages = 0;
        RACE->given_back++;
    }
    if (RACE->next_unit > UNITS_KEPT)
        rt_discard(RT_RACE_CLOCKS, UINT64_C(64) << 30);
}

uint32_t race_times_given_back(void)
{
    return RACE->given_back;
}

static void start_row(int tid)
{
    RACE->hot.clock[tid][tid] = RACE_TICK | (uint32_t)tid;
    RACE->release_fence[tid] = RACE->pending[tid] = 0;
}

void race_begin(void)
{
    give_back_memory();
    race_guard_begin();
    RACE->stamp_key += UINT64_C(1) << RACE_STAMP_SHIFT;
    RACE->recording = race_context;
    /* In record mode no key matches, so every access takes the slow path. */
    RACE->hot.fast_key = RACE->recording ? ~UINT64_C(0xff) : RACE->stamp_key;
    RACE->hot.concurrent = false;
    RACE->overflowed = false;
    RACE->nthreads = 1;
    RACE->width = RACE_LANES;
    RACE->next_unit = 1; /* index 0 means none */
    RACE->free_record = 0;
    memset(RACE->free_clock, 0, sizeof RACE->free_clock);
    RACE->nobjects = 0;
    memset(RACE->hot.clock[0], 0, RACE_LANES * sizeof(uint32_t));
    start_row(0);
    if (RACE->recording)
        race_detail_begin();
}

bool race_overflowed(void)
{
    return RACE->overflowed;
}

/* Makes room for the slot in every row. */
static void widen_rows(int tid)
{
    uint32_t width = ((uint32_t)tid + RACE_LANES) & ~(RACE_LANES - 1u);
    if (tid >= RACE->nthreads)
        RACE->nthreads = tid + 1;
    if (width <= RACE->width)
        return;
    for (int row = 0; row < RACE->nthreads; row++)
        memset(RACE->hot.clock[row] + RACE->width, 0, (width - RACE->width) * sizeof(uint32_t));
    RACE->width = width;
}

void race_thread_create(int parent, int child)
{
    must(parent < RACE->nthreads);
    widen_rows(child);
    memcpy(RACE->hot.clock[child], RACE->hot.clock[parent], RACE->width * sizeof(uint32_t));
    start_row(child);
    race_clock_tick(parent);
    RACE->hot.concurrent = true;
}

void race_thread_join(int joiner, int child)
{
    uint32_t *into = RACE->hot.clock[joiner];
    const uint32_t *from = RACE->hot.clock[child];
    for (uint32_t i = 0; i < RACE->width; i++)
        if (from[i] > into[i])
            into[i] = from[i];
}

/* --- Cells --- */

static struct race_cell *cell_make(uint64_t granule)
{
    struct race_cell **page = race_directory(granule);
    if (!*page) {
        uint64_t offset = (uint64_t)RACE->npages * sizeof(struct race_page);
        if (offset + sizeof(struct race_page) > CELLS_SIZE)
            rt_starved("out of memory for the race detector");
        RACE->npages++;
        *page = (struct race_cell *)(RT_RACE_CELLS + offset);
    }
    return *page + ((granule >> 3) & (RACE_CELLS_PER_PAGE - 1));
}

static struct race_page *page_of(uint64_t granule)
{
    return (struct race_page *)*race_directory(granule);
}

static uint64_t part_of(uint64_t granule)
{
    return UINT64_C(1) << ((granule >> 6) & 63);
}

/* A cell of the page is about to be used for the first time in this execution. */
static void mark_part(uint64_t granule)
{
    struct race_page *page = page_of(granule);
    if (page->stamp_key != RACE->stamp_key) {
        page->stamp_key = RACE->stamp_key;
        page->parts = 0;
    }
    page->parts |= part_of(granule);
}

/* From here on, how many bytes have no cell that is in use? */
static uint64_t unused_bytes(uint64_t granule)
{
    const struct race_page *page = page_of(granule);
    if (!page || page->stamp_key != RACE->stamp_key)
        return 4096 - (granule & 4095);
    return page->parts & part_of(granule) ? 0 : 64 - (granule & 63);
}

static struct race_cell *record_at(uint32_t index)
{
    return race_unit(index);
}

static void clear_record(struct race_cell *record, uint64_t mask, uint32_t next)
{
    *record = (struct race_cell){.key = RACE->stamp_key | mask, .next = next};
}

/* Moves the bytes that are not in `part` to a new record. */
static void split_cell(struct race_cell *record, uint64_t part)
{
    uint32_t index = race_record_new();
    struct race_cell *rest = record_at(index);
    *rest = *record;
    if (record->key & RACE_READ_SHARED)
        rest->read = race_clock_duplicate(record->read);
    if (record->key & RACE_ATOMIC_WRITE_SHARED)
        rest->atomic_write = race_clock_duplicate(record->atomic_write);
    if (record->key & RACE_ATOMIC_READ_SHARED)
        rest->atomic_read = race_clock_duplicate(record->atomic_read);
    if (record->sync)
        rest->sync = race_clock_duplicate(record->sync);
    rest->key &= ~part;
    record->key = (record->key & ~UINT64_C(0xff)) | part;
    record->next = index;
}

/* --- Reports --- */

static void describe_access(struct board_access *out, enum race_kind kind, int tid)
{
    out->tid = tid;
    out->write = kind == RACE_PLAIN_WRITE || kind == RACE_ATOMIC_WRITE;
    out->atomic = kind == RACE_ATOMIC_WRITE || kind == RACE_ATOMIC_READ;
    out->event = UINT32_MAX;
}

__attribute__((noinline, cold)) static void report(struct race_access *access, uint64_t granule,
                                                   uint64_t bytes, enum race_kind kind,
                                                   uint32_t epoch, bool is_birth)
{
    if (access->reported)
        return;
    access->reported = true;
    struct race_pair pair;
    memset(&pair, 0, sizeof pair);
    int first = __builtin_ctzll(bytes), last = 63 - __builtin_clzll(bytes);
    pair.is_birth = is_birth;
    describe_access(&pair.earlier, kind, (int)(epoch & RACE_TID_MASK));
    pair.earlier.address = granule + (uint64_t)first;
    pair.earlier.size = (uint8_t)(last - first + 1);
    describe_access(&pair.later, access->kind, access->tid);
    pair.later.is_free = access->is_free;
    race_extent(access, granule, &pair.later);
    pair.later.stack.depth = 1;
    pair.later.stack.pc[0] = access->pc;
    if (RACE->recording) {
        race_context(&pair.later);
        if (!is_birth)
            race_detail_find(granule, kind, &pair.earlier);
    }
    race_report(&pair);
}

/* --- Histories --- */

/* The steps of an access are compiled once per kind, with `kind` as a constant. */
#define STEP static inline __attribute__((always_inline))

/* The first entry of the clock that the access is not ordered after, or 0. */
static uint32_t unordered_entry(const struct race_access *access, uint32_t index)
{
    const struct race_clock *clock = race_clock_at(index);
    for (uint32_t i = 0; i < clock->capacity; i++)
        if (clock->entry[i] > access->row[i])
            return clock->entry[i];
    return 0;
}

STEP void check_history(struct race_access *access, const struct race_cell *record,
                        uint64_t granule, enum race_kind kind, uint32_t history,
                        uint64_t shared)
{
    uint32_t found = 0;
    if (record->key & shared)
        found = unordered_entry(access, history);
    else if (!race_ordered(access->row, history))
        found = history;
    if (__builtin_expect(found != 0, 0))
        report(access, granule, record->key & 0xff, kind, found, false);
}

STEP void check(struct race_access *access, const struct race_cell *record, uint64_t granule,
                enum race_kind kind)
{
    check_history(access, record, granule, RACE_PLAIN_WRITE, record->write, 0);
    if (kind == RACE_PLAIN_READ || kind == RACE_PLAIN_WRITE)
        check_history(access, record, granule, RACE_ATOMIC_WRITE, record->atomic_write,
                      RACE_ATOMIC_WRITE_SHARED);
    if (kind == RACE_PLAIN_WRITE || kind == RACE_ATOMIC_WRITE)
        check_history(access, record, granule, RACE_PLAIN_READ, record->read, RACE_READ_SHARED);
    if (kind == RACE_PLAIN_WRITE)
        check_history(access, record, granule, RACE_ATOMIC_READ, record->atomic_read,
                      RACE_ATOMIC_READ_SHARED);
}

/* For bytes without an access so far: the allocation of their block must happen before this
 * access, otherwise the two race. (For bytes with a history an earlier access was compared.) */
__attribute__((noinline)) static void check_birth(struct race_access *access, uint64_t granule,
                                                  uint64_t mask)
{
    uint64_t address = granule + (uint64_t)__builtin_ctzll(mask);
    bool foreign =
        heap_contains(address) && (address - HEAP_BASE) / HEAP_ARENA != (uint64_t)access->tid;
    if (!foreign || !race_birth || address < access->born)
        return;
    access->born = granule + 8;
    uint32_t birth = race_birth(address, &access->born);
    if (birth && !race_ordered(access->row, birth))
        report(access, granule, mask, RACE_PLAIN_WRITE, birth, true);
}

/* Two threads are not ordered: the history becomes a vector clock. */
static void share_history(const struct race_access *access, struct race_cell *record,
                          uint32_t *history, uint64_t shared)
{
    uint32_t index = race_clock_new();
    struct race_clock *clock = race_clock_at(index);
    clock->entry[*history & RACE_TID_MASK] = *history;
    clock->entry[access->tid] = access->epoch;
    *history = index;
    record->key |= shared;
}

/* Adds the access to a history, which is one epoch as long as the accesses are ordered. */
STEP void add(const struct race_access *access, struct race_cell *record, uint32_t *history,
              uint64_t shared)
{
    if (record->key & shared)
        race_clock_widen(history)->entry[access->tid] = access->epoch;
    else if (race_ordered(access->row, *history))
        *history = access->epoch;
    else
        share_history(access, record, history, shared);
}

static void free_clocks(const struct race_cell *record)
{
    if (record->key & RACE_READ_SHARED)
        race_clock_free(record->read);
    if (record->key & RACE_ATOMIC_WRITE_SHARED)
        race_clock_free(record->atomic_write);
    if (record->key & RACE_ATOMIC_READ_SHARED)
        race_clock_free(record->atomic_read);
    if (record->sync)
        race_clock_free(record->sync);
}

/* A plain write that is ordered after everything before makes all of it irrelevant, including
 * the release clock: a thread that may read the location now already knows what was released
 * there. */
STEP void set_write(const struct race_access *access, struct race_cell *record)
{
    if ((record->key & RACE_FLAGS) || record->sync)
        free_clocks(record);
    clear_record(record, record->key & 0xff, record->next);
    record->write = access->epoch;
}

static uint32_t head_of(uint32_t list, int tid)
{
    while (list && (int)(race_clock_at(list)->published & RACE_TID_MASK) != tid)
        list = race_clock_at(list)->heads;
    return list;
}

/* A thread's clocks only grow: of two that it published, the later one includes the other. */
static bool is_later(const struct race_access *access, uint32_t head)
{
    return access->release && access->release_epoch > race_clock_at(head)->published;
}

static void publish_release(const struct race_access *access, uint32_t *slot, bool join)
{
    race_clock_publish(slot, access->release, access->release_width, access->release_epoch,
                       join);
}

/* The heads of the sequences after a read-modify-write that releases: the previous heads and
 * the operation itself, which replaces an earlier head of its thread. */
static uint32_t heads_with(const struct race_access *access, uint32_t sync)
{
    struct race_clock *clock = race_clock_at(sync);
    uint32_t list = clock->heads;
    if (!RACE->keeps_heads)
        return RACE_HEADS_LOST;
    clock->heads = 0;
    if (!list)
        list = race_clock_duplicate(sync);
    uint32_t own = head_of(list, access->tid);
    if (!own) {
        publish_release(access, &own, false);
        race_clock_at(own)->heads = list;
        return own;
    }
    if (!is_later(access, own))
        return list;
    uint32_t *link = &list;
    while (*link != own)
        link = &race_clock_at(*link)->heads;
    publish_release(access, link, false);
    return list;
}

/* A relaxed store under the older rule: of the sequences that the previous value belonged to,
 * it continues those that the store's own thread heads. Returns false if there are none. */
static bool keep_own_heads(const struct race_access *access, struct race_cell *record)
{
    if (race_clock_at(record->sync)->heads == RACE_HEADS_LOST && race_wants_heads)
        race_wants_heads(); /* it may not return */
    uint32_t heads = race_clock_at(record->sync)->heads;
    if (heads == RACE_HEADS_LOST)
        return false;
    uint32_t own = head_of(heads ? heads : record->sync, access->tid);
    if (!own)
        return false;
    if (own != record->sync) {
        own = race_clock_duplicate(own);
        race_clock_free(record->sync);
        record->sync = own;
    }
    race_clock_drop_heads(record->sync);
    if (is_later(access, record->sync)) /* because of a fence before the store */
        publish_release(access, &record->sync, false);
    return true;
}

/* Sets the location's release clock after an atomic write. */
static void set_release(const struct race_access *access, struct race_cell *record)
{
    if (access->keeps_sequence) {
        if (!access->release)
            return;
        uint32_t heads = record->sync ? heads_with(access, record->sync) : 0;
        publish_release(access, &record->sync, true);
        race_clock_at(record->sync)->heads = heads;
        return;
    }
    if (record->sync && access->keeps_own && keep_own_heads(access, record))
        return;
    if (record->sync)
        race_clock_drop_heads(record->sync);
    if (access->release) {
        publish_release(access, &record->sync, false);
    } else if (record->sync) {
        race_clock_free(record->sync);
        record->sync = 0;
    }
}

STEP void apply(struct race_access *access, struct race_cell *record, uint64_t granule,
                enum race_kind kind)
{
    check(access, record, granule, kind);
    if (kind == RACE_PLAIN_WRITE)
        set_write(access, record);
    if (kind == RACE_PLAIN_READ)
        add(access, record, &record->read, RACE_READ_SHARED);
    if (kind == RACE_ATOMIC_READ)
        add(access, record, &record->atomic_read, RACE_ATOMIC_READ_SHARED);
    if (kind == RACE_ATOMIC_WRITE) {
        add(access, record, &record->atomic_write, RACE_ATOMIC_WRITE_SHARED);
        set_release(access, record);
    }
}

/* Would the access leave the record unchanged? Then the record need not be split. */
STEP bool covered(int tid, uint32_t epoch, const struct race_cell *record, enum race_kind kind)
{
    if (kind == RACE_PLAIN_WRITE)
        return record->write == epoch;
    if (kind != RACE_PLAIN_READ)
        return false;
    if (record->write == epoch)
        return true;
    if (!(record->key & RACE_READ_SHARED))
        return record->read == epoch;
    const struct race_clock *clock = race_clock_at(record->read);
    return (uint32_t)tid < clock->capacity && clock->entry[tid] == epoch;
}

/* Does the record contain this plain access and nothing else? Then more bytes of the access can
 * join it. (Without an atomic write there is no release clock either.) */
static bool holds_only(const struct race_access *access, const struct race_cell *record)
{
    if (access->kind > RACE_PLAIN_WRITE || (record->key & RACE_FLAGS) ||
        (record->atomic_write | record->atomic_read))
        return false;
    bool write = access->kind == RACE_PLAIN_WRITE;
    return record->write == (write ? access->epoch : 0) &&
           record->read == (write ? 0 : access->epoch);
}

/* All eight bytes have just been written: one record is enough. */
static void collapse_cells(struct race_cell *cell)
{
    for (uint32_t index = cell->next; index;) {
        uint32_t next = record_at(index)->next;
        race_record_free(index);
        index = next;
    }
    cell->next = 0;
    cell->key |= 0xff;
}

/* The general case: an access to several records, or to part of one. */
STEP void touch_records(struct race_access *access, struct race_cell *cell, uint64_t granule,
                        uint64_t mask, enum race_kind kind)
{
    uint64_t rest = mask;
    struct race_cell *record = cell;
    for (;;) {
        uint64_t part = record->key & rest;
        if (part && !covered(access->tid, access->epoch, record, kind)) {
            if (part != (record->key & 0xff))
                split_cell(record, part);
            apply(access, record, granule, kind);
        }
        rest &= ~part;
        if (!rest || !record->next)
            break;
        record = record_at(record->next);
    }
    if (rest && holds_only(access, cell)) {
        cell->key |= rest;
    } else if (rest) {
        check_birth(access, granule, rest);
        record->next = race_record_new();
        record = record_at(record->next);
        clear_record(record, rest, 0);
        apply(access, record, granule, kind);
    }
    if (kind == RACE_PLAIN_WRITE && mask == 0xff && cell->next)
        collapse_cells(cell);
}

STEP void touch(struct race_access *access, uint64_t granule, uint64_t mask,
                enum race_kind kind)
{
    struct race_cell *cell = cell_make(granule);
    if (RACE->recording)
        race_detail_note(access, granule);
    if (!race_is_current(cell)) {
        mark_part(granule);
        clear_record(cell, mask, 0);
        check_birth(access, granule, mask);
    }
    touch_records(access, cell, granule, mask, kind);
}

void race_touch(struct race_access *access, uint64_t granule, uint64_t mask)
{
    switch (access->kind) {
    case RACE_PLAIN_READ:
        touch(access, granule, mask, RACE_PLAIN_READ);
        break;
    case RACE_PLAIN_WRITE:
        touch(access, granule, mask, RACE_PLAIN_WRITE);
        break;
    case RACE_ATOMIC_READ:
        touch(access, granule, mask, RACE_ATOMIC_READ);
        break;
    case RACE_ATOMIC_WRITE:
        touch(access, granule, mask, RACE_ATOMIC_WRITE);
        break;
    }
}

/* --- Plain accesses --- */

/* Another read of data that several threads read: the only slow case that is frequent. */
static bool reads_again(int tid, uint64_t address, size_t size)
{
    uint64_t mask = race_single_mask(address, size);
    const struct race_cell *cell = race_cell_find(address);
    return mask && cell && !(mask & ~cell->key) && !RACE->recording &&
           covered(tid, RACE->hot.clock[tid][tid], cell, RACE_PLAIN_READ);
}

void race_plain_slow(int tid, uint64_t address, size_t size, bool write, uint64_t pc)
{
    if (race_outside(address, size) || (!write && reads_again(tid, address, size)))
        return;
    struct race_access access =
        race_access_make(tid, write ? RACE_PLAIN_WRITE : RACE_PLAIN_READ, address, size, pc);
    race_guard_touch(tid, access.kind, address, size);
    race_touch_all(&access);
}

/* The bytes lose their history. */
static void forget_bytes(struct race_cell *record, uint64_t mask)
{
    if (mask == 0xff) {
        record->key = 0;
        return;
    }
    for (;;) {
        uint64_t part = record->key & mask;
        if (part) {
            if (part != (record->key & 0xff))
                split_cell(record, part);
            clear_record(record, part, record->next);
        }
        if (!record->next)
            return;
        record = record_at(record->next);
    }
}

/* Forgets everything recorded for the range in this execution, and before that reports races
 * with the free (if it is one). */
static void retire_range(struct race_access *free_access, uint64_t base, size_t size)
{
    if (!RACE->hot.concurrent || race_outside(base, size))
        return;
    RACE_EACH_GRANULE(base, size, granule, mask)
    {
        uint64_t unused = unused_bytes(granule);
        if (unused > 0) {
            granule += unused - 8;
            continue;
        }
        struct race_cell *cell = race_cell_find(granule);
        if (!cell)
            continue;
        if (free_access)
            race_touch(free_access, granule, mask);
        forget_bytes(cell, mask);
    }
}

void race_free(int tid, uint64_t base, size_t size, uint64_t pc)
{
    struct race_access access = race_access_make(tid, RACE_PLAIN_WRITE, base, size, pc);
    access.is_free = true;
    if (RACE->hot.concurrent && !race_outside(base, size)) {
        race_guard_touch(tid, RACE_PLAIN_WRITE, base, size);
        check_birth(&access, base & ~UINT64_C(7), 0xff);
    }
    retire_range(&access, base, size);
}

void race_forget_range(uint64_t base, size_t size)
{
    retire_range(NULL, base, size);
}
