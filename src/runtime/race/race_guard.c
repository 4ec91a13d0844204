/* Which accesses could race on some other path to the same state (race_guard.h). */
#include "runtime/race/race_guard.h"

#include "base/table.h"
#include "runtime/race/race_private.h"

#define LOCKS    64
#define CHILDREN 63 /* later threads are assumed to run during all accesses */

/* All accesses of one thread to one byte, in all executions. */
struct guard {
    uint64_t locks;  /* locks that it held each time, … */
    uint64_t alone;  /* … and exclusively */
    uint64_t beside; /* its children that existed at some access */
};

/* … and to 8 bytes. */
struct guarded_granule {
    struct guard byte[8];
    uint8_t kinds[8]; /* of each byte: bits by enum race_kind */
};

struct race_guard {
    struct table granules; /* (address, thread + 1) → struct guarded_granule */
    uint64_t lock[LOCKS];
    uint32_t nlocks;
    uint64_t forgotten; /* locks whose name was reused while others could know the old one */
    uint64_t dead;      /* locks that were held after that: they order nothing any more */
};

void (*race_guard_enter)(struct race_holding *holding);
void (*race_guard_leave)(const struct race_holding *holding);

/* In the search's memory, because an execution may run in a process of its own. */
static struct race_guard *guard;

void race_guard_start(struct pool *pool)
{
    guard = pool_alloc(pool, sizeof *guard);
    table_init(&guard->granules, pool, sizeof(struct guarded_granule));
}

void race_guard_stop(void)
{
    guard = NULL;
}

void race_guard_begin(void)
{
    if (guard)
        guard->forgotten = 0;
}

/* 0: there are too many locks. */
static uint64_t bit_of_lock(uint64_t address)
{
    uint32_t i = 0;
    while (i < guard->nlocks && guard->lock[i] != address)
        i++;
    if (i == LOCKS)
        return 0;
    if (i == guard->nlocks)
        guard->lock[guard->nlocks++] = address;
    return UINT64_C(1) << i;
}

void race_guard_forget(uint64_t lock)
{
    if (guard)
        guard->forgotten |= RACE->hot.concurrent ? bit_of_lock(lock) : 0;
}

static struct guard what_speaks_for_it(const struct race_holding *holding)
{
    struct guard what = {0};
    for (uint32_t i = 0; i < holding->nlocks; i++) {
        what.locks |= bit_of_lock(holding->lock[i]);
        what.alone |= holding->shared[i] ? 0 : bit_of_lock(holding->lock[i]);
    }
    guard->dead |= what.locks & guard->forgotten;
    for (int t = threadset_next(&holding->children, 0); t >= 0;
         t = threadset_next(&holding->children, t + 1))
        what.beside |= UINT64_C(1) << (t < CHILDREN ? t : CHILDREN);
    return what;
}

static void note_touch(struct guarded_granule *granule, uint64_t mask, int kind,
                       struct guard what)
{
    for (int i = 0; i < 8; i++) {
        struct guard *byte = &granule->byte[i];
        if (!(mask >> i & 1))
            continue;
        byte->locks = granule->kinds[i] ? byte->locks & what.locks : what.locks;
        byte->alone = granule->kinds[i] ? byte->alone & what.alone : what.alone;
        byte->beside |= what.beside;
        granule->kinds[i] |= (uint8_t)(1u << kind);
    }
}

void race_guard_touch(int tid, int kind, uint64_t address, uint64_t size)
{
    if (!guard)
        return;
    struct race_holding holding;
    race_guard_enter(&holding);
    struct guard what = what_speaks_for_it(&holding);
    RACE_EACH_GRANULE(address, size, granule, mask)
    note_touch(table_put(&guard->granules, granule, (uint64_t)tid + 1, NULL), mask, kind, what);
    race_guard_leave(&holding);
}

/* Do they conflict: not both reads, and not both atomic? */
static bool do_conflict(uint8_t a, uint8_t b)
{
    const uint8_t plain = 1u << RACE_PLAIN_READ | 1u << RACE_PLAIN_WRITE;
    const uint8_t writes = 1u << RACE_PLAIN_WRITE | 1u << RACE_ATOMIC_WRITE;
    const uint8_t plain_write = 1u << RACE_PLAIN_WRITE;
    return ((a & plain) && (b & writes)) || ((a & writes) && (b & plain)) ||
           ((a & plain_write) && b) || (a && (b & plain_write));
}

/* Did the thread make its accesses only before the other one was created, or after it was
 * joined? */
static bool keeps_apart(const struct guard *accesses, int tid, int other, int (*parent)(int))
{
    while (other >= 0 && parent(other) != tid)
        other = parent(other);
    return other >= 0 && other < CHILDREN && !(accesses->beside >> other & 1);
}

/* A lock orders two accesses if both hold it, at least one of them exclusively. */
static bool share_lock(const struct guard *one, const struct guard *two)
{
    return ((one->alone & two->locks) | (one->locks & two->alone)) & ~guard->dead;
}

/* May the accesses of two threads to the same 8 bytes race? */
static bool may_race(const struct guarded_granule *one, int tid,
                     const struct guarded_granule *two, int other, int (*parent)(int))
{
    for (int i = 0; i < 8; i++)
        if (do_conflict(one->kinds[i], two->kinds[i]) &&
            !share_lock(&one->byte[i], &two->byte[i]) &&
            !keeps_apart(&one->byte[i], tid, other, parent) &&
            !keeps_apart(&two->byte[i], other, tid, parent))
            return true;
    return false;
}

bool race_guarded(int nthreads, int (*parent)(int))
{
    uint32_t cursor = 0;
    uint64_t key[2];
    const struct guarded_granule *one;
    if (!guard)
        return false;
    while ((one = table_next(&guard->granules, &cursor, key))) {
        int tid = (int)key[1] - 1;
        for (int other = tid + 1; other < nthreads; other++) {
            const struct guarded_granule *two =
                table_get(&guard->granules, key[0], (uint64_t)other + 1);
            if (two && may_race(one, tid, two, other, parent))
                return false;
        }
    }
    return true;
}
