/* Record mode: remembers where each thread last made each kind of access to each granule, with
 * its stack and the locks it held, so that a report can show both sides of a race. A search
 * needs none of this, since a report is always made from a recorded replay (board.h).
 *
 * A table of lists by granule. It has DETAILS_MAX entries. Later accesses are still checked,
 * but a race with one is reported without its stack. */
#include "base/hash.h"
#include "base/must.h"
#include "runtime/memory/memory.h"
#include "runtime/race/race.h"
#include "runtime/race/race_private.h"

#define BUCKET_BITS 20
#define BUCKETS     (UINT64_C(1) << BUCKET_BITS)
#define DETAILS_MAX (1u << 20)

struct detail {
    uint64_t granule;
    uint64_t pc;
    uint32_t next;
    uint32_t epoch;
    uint32_t kind;
    struct board_access access;
};

void (*race_report)(const struct race_pair *pair);
void (*race_context)(struct board_access *access);

#define BUCKET_BYTES (BUCKETS * sizeof(uint32_t))

static uint32_t *bucket_of(uint64_t granule)
{
    return (uint32_t *)RT_RACE_DETAILS + hash_slot(granule, BUCKET_BITS);
}

static struct detail *detail_at(uint32_t number)
{
    return (struct detail *)(RT_RACE_DETAILS + BUCKET_BYTES) + number;
}

void race_detail_begin(void)
{
    static bool mapped;
    if (!mapped)
        rt_map_at(RT_RACE_DETAILS, BUCKET_BYTES + (DETAILS_MAX + 1) * sizeof(struct detail));
    else
        rt_discard(RT_RACE_DETAILS, BUCKET_BYTES);
    mapped = true;
    RACE->ndetails = 0;
}

/* The entry of the same thread, kind and bytes, or a new one. NULL when the table is full. */
static struct detail *entry_for(const struct race_access *access, uint64_t granule)
{
    uint32_t *first = bucket_of(granule);
    struct board_access extent;
    race_extent(access, granule, &extent);
    for (uint32_t n = *first; n; n = detail_at(n)->next) {
        struct detail *detail = detail_at(n);
        if (detail->granule == granule && detail->kind == access->kind &&
            detail->access.tid == access->tid && detail->access.address == extent.address &&
            detail->access.size == extent.size)
            return detail;
    }
    if (RACE->ndetails == DETAILS_MAX)
        return NULL;
    uint32_t number = ++RACE->ndetails;
    struct detail *detail = detail_at(number);
    *detail = (struct detail){.granule = granule, .kind = access->kind, .next = *first};
    detail->access.tid = access->tid;
    detail->access.address = extent.address;
    detail->access.size = extent.size;
    *first = number;
    return detail;
}

void race_detail_note(const struct race_access *access, uint64_t granule)
{
    must(RACE->recording);
    struct detail *detail = entry_for(access, granule);
    if (!detail || (detail->epoch == access->epoch && detail->pc == access->pc))
        return;
    detail->epoch = access->epoch;
    detail->pc = access->pc;
    detail->access.event = UINT32_MAX;
    detail->access.nlocks = 0;
    detail->access.stack.depth = 1;
    detail->access.stack.pc[0] = access->pc;
    race_context(&detail->access);
}

void race_detail_find(uint64_t granule, enum race_kind kind, struct board_access *earlier)
{
    const struct detail *best = NULL;
    for (uint32_t n = *bucket_of(granule); n; n = detail_at(n)->next) {
        const struct detail *detail = detail_at(n);
        const struct board_access *access = &detail->access;
        if (detail->granule == granule && detail->kind == kind && access->tid == earlier->tid &&
            access->address < earlier->address + earlier->size &&
            access->address + access->size > earlier->address &&
            (!best || detail->epoch > best->epoch))
            best = detail;
    }
    if (!best)
        return;
    earlier->address = best->access.address;
    earlier->size = best->access.size;
    earlier->event = best->access.event;
    earlier->nlocks = best->access.nlocks;
    for (int i = 0; i < BOARD_LOCKS_HELD; i++)
        earlier->lock[i] = best->access.lock[i];
    earlier->stack = best->access.stack;
}
