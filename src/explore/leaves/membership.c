/* See membership.h. */
#include "explore/leaves/membership.h"

#include <string.h>

#include "base/must.h"

#define NO_LEVEL UINT32_MAX

struct membership *membership_create(struct pool *pool, const struct leaf *given)
{
    if (!leaf_is_sane(given) || given->ordered)
        return NULL;
    struct membership *member = pool_alloc(pool, sizeof *member);
    member->pool = pool;
    member->leaf = *given;
    return member;
}

uint32_t membership_steps(const struct membership *member)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < member->leaf.nsteps; i++)
        steps += !(member->leaf.step[i] & SCHEDULE_CHOICE);
    return steps;
}

void membership_require(struct membership *member, const struct leaf_event *event)
{
    must(event->index == member->place[event->tid].count);
    *vector_add(member->pool, &member->place[event->tid]) = member->required.count;
    *vector_add(member->pool, &member->required) = *event;
    hash128_add(&member->sum, event->hash);
}

bool membership_is_as_meant(const struct membership *member)
{
    return hash128_equal(member->sum, member->leaf.sum);
}

/* --- bad events --- */

void membership_begin(struct membership *member)
{
    memset(member->has, 0, sizeof member->has);
    member->missing = member->required.count;
    member->comb.met = 0;
}

/* Does a required event that has not happened yet depend on it? */
static bool precedes_required(const struct membership *member, uint32_t tid,
                              const struct op *op)
{
    for (uint32_t i = 0; member->missing > 0 && i < member->required.count; i++) {
        const struct leaf_event *required = &member->required.item[i];
        if (member->has[required->tid] <= required->index && required->tid != tid &&
            op_dependent(op, &required->op))
            return true;
    }
    return false;
}

static bool is_excluded(const struct membership *member, uint32_t tid, uint32_t index,
                        struct hash128 hash)
{
    for (uint32_t i = 0; i < member->leaf.nexcluded; i++) {
        const struct leaf_excluded *excluded = &member->leaf.excluded[i];
        if (excluded->tid == tid && excluded->index == index &&
            hash128_equal(excluded->hash, hash))
            return true;
    }
    return false;
}

static const struct leaf_event *tooth_event(const struct membership *member, uint32_t i)
{
    return &member->comb.events.item[member->comb.tooth[i]];
}

static void meet_tooth(struct membership *member, uint32_t tid, uint32_t index,
                       struct hash128 hash)
{
    for (uint32_t i = member->comb.given; i < member->comb.count; i++) {
        const struct leaf_event *tooth = tooth_event(member, i);
        if (tooth->tid == tid && tooth->index == index && hash128_equal(tooth->hash, hash))
            member->comb.met |= UINT32_C(1) << i;
    }
}

bool membership_look(struct membership *member, uint32_t tid, uint32_t index,
                     const struct op *op, struct hash128 hash)
{
    if (tid < LEAF_THREADS)
        member->has[tid] = index + 1;
    meet_tooth(member, tid, index, hash);
    if (index < membership_needs(member, tid)) {
        member->missing--;
        return !hash128_equal(hash, membership_needed(member, tid, index)->hash);
    }
    return precedes_required(member, tid, op) || is_excluded(member, tid, index, hash);
}

bool membership_end(struct membership *member, uint32_t tid, uint32_t index)
{
    bool early = false;
    if (index < membership_needs(member, tid)) {
        const struct leaf_event *required = membership_needed(member, tid, index);
        for (uint32_t other = 0; other < LEAF_THREADS; other++)
            early |= required->past[other] > member->has[other];
        member->missing--;
    }
    if (tid < LEAF_THREADS)
        member->has[tid] = index + 1;
    return early;
}

bool membership_is_inside(const struct membership *member)
{
    return member->missing == 0;
}

struct op leaf_certain_form(const struct op *pending)
{
    struct op op = *pending;
    if (op.flags & (OP_GLOBAL | OP_TIMED | OP_SPINS))
        op.nobjects = 0;
    if (!op_has(&op, OP_AS_PENDING)) {
        op.flags &= (uint16_t)~OP_WRITES;
        if (!op_has(&op, OP_SAME_OBJECTS))
            op.nobjects = 0;
    }
    op.flags &= (uint16_t)~OP_GLOBAL;
    return op;
}

/* --- splitting --- */

/* Could it have happened before this event, on which it depends? Not if it waited for the
 * thread to get there or further, as a lock does for the unlock, a join for the exit, and a new
 * thread for its creation; but two locks do not wait for each other. */
static bool may_come_first(const struct leaf_event *later, const struct leaf_event *event)
{
    bool alike = event->op.flags & OP_MAY_BLOCK && !(event->op.flags & OP_MAY_RELEASE);
    return later->op.kind != OP_START && (!(later->op.flags & OP_MAY_BLOCK) || alike);
}

/* May a later event of another thread take its place, whose thread had got that far without it?
 * Then some traces do not contain it: what is given away is not empty. Else nothing would be
 * found there, but only after everything that the other threads can do until then was run. (Not
 * for the exit of a thread: cbpor puts it into a block with the operation before it until it
 * sees that the process may end between the two, and in a leaf that requires the one and
 * excludes the other no execution would show that.) */
static bool event_races(const struct membership *member, uint32_t i)
{
    const struct leaf_event *event = &member->comb.events.item[i];
    const uint16_t never = OP_GLOBAL | OP_TIMED_OUT;
    uint32_t after = UINT32_C(1) << event->tid; /* threads that have an event after it */
    if (event->op.flags & never || event->nchoices > 0 || event->op.kind == OP_THREAD_EXIT)
        return false;
    for (uint32_t j = i + 1; j < member->comb.events.count; j++) {
        const struct leaf_event *later = &member->comb.events.item[j];
        if (!(after >> later->tid & 1) && !(later->op.flags & OP_GLOBAL) &&
            op_dependent(&event->op, &later->op) && may_come_first(later, event))
            return true;
        if (later->past[event->tid] > event->index)
            after |= UINT32_C(1) << later->tid;
    }
    return false;
}

/* The event and its past are required from this split on. */
static void set_level(struct membership *member, const struct leaf_event *tooth, uint32_t level)
{
    for (uint32_t i = 0; i < member->comb.events.count; i++) {
        struct leaf_event *event = &member->comb.events.item[i];
        bool needed = event->index < tooth->past[event->tid] ||
                      (event->tid == tooth->tid && event->index <= tooth->index);
        if (needed && event->level == NO_LEVEL)
            event->level = level;
    }
}

struct leaf_event *membership_comb_add(struct membership *member)
{
    return vector_add(member->pool, &member->comb.events);
}

void membership_comb(struct membership *member)
{
    member->comb.made = true;
    for (uint32_t i = 0; i < member->comb.events.count; i++) {
        struct leaf_event *event = &member->comb.events.item[i];
        event->level = event->index < membership_needs(member, event->tid) ? 0 : NO_LEVEL;
    }
    /* the last event may have ended the execution: then it depends on all others */
    for (uint32_t i = 0; i + 1 < member->comb.events.count && member->comb.count < LEAF_SLOTS;
         i++) {
        if (member->comb.events.item[i].level != NO_LEVEL || !event_races(member, i))
            continue;
        member->comb.met |= UINT32_C(1) << member->comb.count;
        member->comb.tooth[member->comb.count++] = i;
        set_level(member, &member->comb.events.item[i], member->comb.count);
    }
}

uint32_t membership_slot(const struct membership *member)
{
    for (uint32_t i = member->comb.given; i < member->comb.count; i++)
        if (!(member->comb.met >> i & 1))
            return i;
    return LEAF_SLOTS;
}

static const struct leaf_event *find_event(const struct membership *member, uint32_t tid,
                                           uint32_t index)
{
    for (uint32_t i = 0; i < member->comb.events.count; i++)
        if (member->comb.events.item[i].tid == tid &&
            member->comb.events.item[i].index == index)
            return &member->comb.events.item[i];
    return NULL;
}

static void exclude_tooth(const struct membership *member, const struct leaf_event *tooth,
                          struct leaf_excluded *excluded)
{
    memset(excluded, 0, sizeof *excluded);
    excluded->op = tooth->op;
    excluded->hash = tooth->hash;
    excluded->tid = tooth->tid;
    excluded->index = tooth->index;
    for (uint32_t tid = 0; tid < LEAF_THREADS; tid++) {
        excluded->past[tid] = tooth->past[tid];
        if (tooth->past[tid] > 0)
            excluded->last[tid] = find_event(member, tid, tooth->past[tid] - 1)->hash;
    }
}

void membership_tooth(const struct membership *member, uint32_t i, struct leaf_excluded *tooth)
{
    exclude_tooth(member, tooth_event(member, i), tooth);
}

/* The schedule of everything that is required after this many splits. False: it is too long. */
static bool lay_steps(const struct membership *member, uint32_t level, struct leaf *into)
{
    into->nsteps = 0;
    for (uint32_t i = 0; i < member->comb.events.count; i++) {
        const struct leaf_event *event = &member->comb.events.item[i];
        if (event->level > level)
            continue;
        if (event->nchoices + 1 > LEAF_STEPS - into->nsteps)
            return false;
        into->step[into->nsteps++] = event->tid;
        for (uint32_t j = 0; j < event->nchoices; j++)
            into->step[into->nsteps++] =
                SCHEDULE_CHOICE | member->comb.choices.item[event->choice + j];
    }
    return true;
}

/* Drops excluded events whose place a required event takes: they are excluded anyway. */
static void drop_decided(struct membership *member, uint32_t *moved)
{
    struct leaf *leaf = &member->leaf;
    uint32_t left = 0;
    for (uint32_t i = 0; i < leaf->nexcluded; i++)
        if (leaf->excluded[i].index >= membership_needs(member, leaf->excluded[i].tid)) {
            if (moved)
                moved[left] = i;
            leaf->excluded[left++] = leaf->excluded[i];
        }
    leaf->nexcluded = left;
}

int membership_split(struct membership *member, struct leaf *gift, struct leaf *kept,
                     uint32_t *moved)
{
    uint32_t slot = member->comb.given;
    if (slot >= member->comb.count || member->leaf.nexcluded == LEAF_EXCLUDED ||
        !lay_steps(member, slot + 1, kept))
        return -1;
    const struct leaf_event *tooth = tooth_event(member, slot);
    *gift = member->leaf;
    lay_steps(member, slot, gift);
    exclude_tooth(member, tooth, &gift->excluded[gift->nexcluded++]);
    member->comb.given++;
    for (uint32_t i = 0; i < member->comb.events.count; i++)
        if (member->comb.events.item[i].level == slot + 1)
            membership_require(member, &member->comb.events.item[i]);
    drop_decided(member, moved);
    memcpy(member->leaf.step, kept->step, sizeof kept->step);
    member->leaf.nsteps = kept->nsteps;
    member->leaf.sum = member->sum;
    *kept = member->leaf;
    return (int)slot;
}
