/* What the race detector's files share.
 *
 *    race.c         executions, threads, plain accesses: the cells
 *    race_sync.c    atomics, fences, locks: which thread acquires what
 *    race_clock.c   vector clocks and their memory
 *    race_detail.c  record mode: where earlier accesses were made
 */
#ifndef MAZUR_RUNTIME_RACE_PRIVATE_H
#define MAZUR_RUNTIME_RACE_PRIVATE_H

#include "runtime/race/race.h"

#define RACE_TID_MASK       ((1u << RACE_TID_BITS) - 1)
#define RACE_TICK           (1u << RACE_TID_BITS)
#define RACE_STAMP_SHIFT    16
#define RACE_CELLS_PER_PAGE 512
#define RACE_LANES          4 /* clocks are as wide as the threads in use, in steps of a vector */

/* Flags: which of a cell's epochs is the index of a vector clock. */
#define RACE_READ_SHARED         (UINT64_C(1) << 8)
#define RACE_ATOMIC_WRITE_SHARED (UINT64_C(1) << 9)
#define RACE_ATOMIC_READ_SHARED  (UINT64_C(1) << 10)
#define RACE_FLAGS               (UINT64_C(0xff) << 8)

enum race_kind { RACE_PLAIN_READ, RACE_PLAIN_WRITE, RACE_ATOMIC_READ, RACE_ATOMIC_WRITE };

/* A vector clock that is not a thread's own: a release clock, or the readers of a location.
 * Entries are epochs, entry[u] of thread u; entries beyond the capacity count as 0. */
struct race_clock {
    uint32_t capacity;
    /* Not 0: this is exactly the clock that a thread published at this epoch. A thread
     * publishes at most once per epoch, so a thread that knows the epoch knows the whole
     * clock. */
    uint32_t published;
    uint32_t next_free;
    /* For a release clock: the heads of its release sequences, by thread, as a list of clocks.
     * 0: there is one head, which published the clock. RACE_HEADS_LOST: the heads were not
     * kept. */
    uint32_t heads;
    uint32_t entry[];
};

#define RACE_HEADS_LOST UINT32_MAX

/* The current access, with what every step on its way through the cells needs. */
struct race_access {
    int tid;
    enum race_kind kind;
    bool is_free;
    bool reported;       /* one report per access is enough */
    bool keeps_sequence; /* atomic write: it is a read-modify-write */
    bool keeps_own;      /* … a store that continues the sequences of its own thread */
    uint32_t epoch;
    const uint32_t *row;     /* vector clock of tid */
    const uint32_t *release; /* atomic write: clock that it publishes, NULL: none */
    uint32_t release_width;
    uint32_t release_epoch;
    uint64_t address;
    uint64_t size;
    uint64_t pc;
    uint64_t born; /* up to here it was already compared with the allocation of its block */
};

struct race_state {
    struct race_hot hot;
    uint64_t stamp_key; /* stamp of the execution << RACE_STAMP_SHIFT */
    bool recording;
    bool keeps_heads; /* kept across executions */
    bool overflowed;
    int nthreads;       /* rows 0 … nthreads-1 of the clocks are in use */
    uint32_t width;     /* columns in use, a multiple of RACE_LANES */
    uint32_t next_unit; /* memory of clocks and records, in units of 16 bytes */
    uint32_t free_record;
    uint32_t free_clock[THREADS_MAX / RACE_LANES + 1]; /* by capacity */
    uint32_t release_fence[THREADS_MAX];               /* clock at the last release fence */
    uint32_t pending[THREADS_MAX]; /* what relaxed loads saw, for an acquire fence */
    uint32_t npages;               /* pages of cells made so far */
    uint32_t given_back;           /* how often they were given back */
    uint32_t object_bits;
    uint32_t nobjects;
    uint32_t ndetails;
};

#define RACE ((struct race_state *)rt_table(RT_RACE_STATE))

static inline bool race_ordered(const uint32_t *row, uint32_t epoch)
{
    return row[epoch & RACE_TID_MASK] >= epoch;
}

/* --- race_clock.c --- */

#define RACE_UNIT 16

static inline void *race_unit(uint32_t index)
{
    return (void *)(RT_RACE_CLOCKS + (uint64_t)index * RACE_UNIT);
}

uint32_t race_record_new(void);
void race_record_free(uint32_t index);
/* A clock of zeros, as wide as the threads in use. */
uint32_t race_clock_new(void);
void race_clock_free(uint32_t index);
uint32_t race_clock_duplicate(uint32_t index);
/* Makes *slot as wide as the threads in use. */
struct race_clock *race_clock_grow(uint32_t *slot);
/* The thread acquires what the clock contains. */
void race_clock_acquire(int tid, uint32_t clock);
/* Sets *slot to the published clock, or joins the published clock into it. */
void race_clock_publish(uint32_t *slot, const uint32_t *from, uint32_t width, uint32_t epoch,
                        bool join);
/* The heads of the clock are no longer needed. */
void race_clock_drop_heads(uint32_t index);
/* The thread has published its clock: advances its epoch, so that what it does from now on is
 * not covered. */
void race_clock_tick(int tid);

static inline struct race_clock *race_clock_at(uint32_t index)
{
    return race_unit(index);
}

static inline struct race_clock *race_clock_widen(uint32_t *slot)
{
    struct race_clock *clock = race_clock_at(*slot);
    return clock->capacity >= RACE->width ? clock : race_clock_grow(slot);
}

/* --- race.c --- */

/* The cells of 4 KiB, and which of them have been used in an execution: freeing a large block
 * in which little was touched must not look at every cell. */
struct race_page {
    struct race_cell cell[RACE_CELLS_PER_PAGE];
    uint64_t stamp_key; /* of the execution that `parts` is about */
    uint64_t parts;     /* bit i: some cells of the 64 bytes from byte 64 i on may be in use */
    uint64_t unused[2]; /* a page is a whole number of cells */
};

static inline struct race_cell **race_directory(uint64_t address)
{
    return (struct race_cell **)RT_RACE_DIRECTORY + (address >> 12);
}

static inline bool race_is_current(const struct race_cell *cell)
{
    return (cell->key ^ RACE->stamp_key) < UINT64_C(1) << RACE_STAMP_SHIFT;
}

/* The first record of the granule in this execution, or NULL. */
static inline struct race_cell *race_cell_find(uint64_t granule)
{
    struct race_cell *page = *race_directory(granule);
    if (!page)
        return NULL;
    struct race_cell *cell = page + ((granule >> 3) & (RACE_CELLS_PER_PAGE - 1));
    return race_is_current(cell) ? cell : NULL;
}

static inline struct race_access race_access_make(int tid, enum race_kind kind,
                                                  uint64_t address, uint64_t size, uint64_t pc)
{
    const uint32_t *row = RACE->hot.clock[tid];
    return (struct race_access){.tid = tid,
                                .kind = kind,
                                .epoch = row[tid],
                                .row = row,
                                .address = address,
                                .size = size,
                                .pc = pc};
}

/* Nothing to check: an empty range, or not user memory (then the access itself will crash). */
static inline bool race_outside(uint64_t address, uint64_t size)
{
    return size == 0 || address >> 47 || size > (UINT64_C(1) << 47) - address;
}

/* The extent that a report gives for the access: all of it, or only its part in the granule if
 * it is too long for a report's size field. */
static inline void race_extent(const struct race_access *access, uint64_t granule,
                               struct board_access *out)
{
    bool whole = access->size <= UINT8_MAX;
    out->address = whole || access->address > granule ? access->address : granule;
    out->size = whole ? (uint8_t)access->size : 8;
}

/* Loops over the granules of [address, address + size): first byte of the granule, byte
 * mask. */
#define RACE_EACH_GRANULE(address, size, granule, mask)                                        \
    for (uint64_t granule = (address) & ~UINT64_C(7), end_ = (address) + (size), mask;         \
         granule < end_ && (mask = race_mask(granule, address, end_), true); granule += 8)

static inline uint64_t race_mask(uint64_t granule, uint64_t address, uint64_t end)
{
    uint64_t mask = 0xff;
    if (granule < address)
        mask &= UINT64_C(0xff) << (address - granule);
    if (end - granule < 8)
        mask &= (UINT64_C(1) << (end - granule)) - 1;
    return mask;
}

/* Checks the bytes of one granule and remembers the access. */
void race_touch(struct race_access *access, uint64_t granule, uint64_t mask);

/* The bytes of an access as a mask of one granule, 0 if it covers several. */
static inline uint64_t race_single_mask(uint64_t address, uint64_t size)
{
    uint64_t offset = address & 7;
    return size <= 8 - offset ? ((UINT64_C(1) << size) - 1) << offset : 0;
}

static inline void race_touch_all(struct race_access *access)
{
    uint64_t single = race_single_mask(access->address, access->size);
    if (single)
        race_touch(access, access->address & ~UINT64_C(7), single);
    else
        RACE_EACH_GRANULE(access->address, access->size, granule, mask)
    race_touch(access, granule, mask);
}

/* --- race_sync.c --- */

void race_objects_save(struct saved *saved);
void race_objects_put_back(struct saved *saved);

/* --- race_detail.c --- */

void race_detail_begin(void);
/* Remembers where the access to the granule is made. */
void race_detail_note(const struct race_access *access, uint64_t granule);
/* Completes `earlier`, whose tid, kind and bytes are known, from what was remembered. */
void race_detail_find(uint64_t granule, enum race_kind kind, struct board_access *earlier);

#endif
