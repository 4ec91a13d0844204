/* See cbpor_leaf.h. */
#include "explore/cbpor/cbpor_leaf.h"

#include <string.h>

#include "base/must.h"

#define NO_LEVEL UINT32_MAX

/* A required event, or one of the trace that the comb was made from. */
struct leaf_event {
    uint32_t tid;
    uint32_t index;
    struct op op;
    struct hash128 hash;
    uint32_t past[LEAF_THREADS]; /* events of each thread before it */
    uint32_t choice;             /* its data choices, in comb_choices */
    uint32_t nchoices;
    uint32_t level; /* comb: split that makes it required; 0: it is; NO_LEVEL: none */
};

/* Of an excluded event, in the trace that is being recorded. */
struct leaf_sight {
    bool possible;               /* its past is as it must be */
    uint32_t step;               /* index at which a step of its thread would take it */
    uint32_t most[LEAF_THREADS]; /* with more events of this thread it has another past */
};

struct cbpor_leaf {
    struct pool *pool;
    struct leaf leaf; /* as it is now */
    VECTOR(struct leaf_event) required;
    VECTOR(uint32_t)
    place[LEAF_THREADS]; /* of the required events of a thread, in `required` */
    uint32_t looked;     /* events of the trace that were looked at */
    uint32_t missing;    /* required events that it does not have yet */
    struct leaf_sight sight[LEAF_EXCLUDED];
    struct { /* the comb: the events of one trace, with the split that each is needed for */
        VECTOR(struct leaf_event) events;
        VECTOR(uint32_t) choices;
        bool made;
        uint32_t count;             /* of the teeth */
        uint32_t given;             /* of these, so many */
        uint32_t tooth[LEAF_SLOTS]; /* events to split by */
    } comb;
};

struct cbpor_leaf *cbpor_leaf_create(struct pool *pool, const struct leaf *given)
{
    if (!leaf_is_sane(given))
        return NULL;
    struct cbpor_leaf *leaf = pool_alloc(pool, sizeof *leaf);
    leaf->pool = pool;
    leaf->leaf = *given;
    return leaf;
}

const struct leaf *cbpor_leaf_given(const struct cbpor_leaf *leaf)
{
    return &leaf->leaf;
}

static uint32_t events_of(const struct cbpor_trace *trace, uint32_t last)
{
    return last == NO_EVENT ? 0 : trace->events.item[last].index + 1;
}

static void copy_event(struct leaf_event *copy, const struct cbpor_trace *trace, uint32_t id)
{
    const struct cbpor_event *event = &trace->events.item[id];
    const uint32_t *clock = cbpor_trace_clock(trace, id);
    *copy = (struct leaf_event){.tid = (uint32_t)event->tid,
                                .index = event->index,
                                .op = event->op,
                                .hash = event->hash,
                                .level = NO_LEVEL};
    for (uint32_t tid = 0; tid < trace->threads.count && tid < LEAF_THREADS; tid++)
        copy->past[tid] = clock[tid];
    copy->past[copy->tid] = event->index;
}

static void require_event(struct cbpor_leaf *leaf, const struct leaf_event *event)
{
    must(event->index == leaf->place[event->tid].count);
    *vector_add(leaf->pool, &leaf->place[event->tid]) = leaf->required.count;
    *vector_add(leaf->pool, &leaf->required) = *event;
}

bool cbpor_leaf_require(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < leaf->leaf.nsteps; i++)
        steps += !(leaf->leaf.step[i] & SCHEDULE_CHOICE);
    if (trace->events.count != steps || trace->threads.count > LEAF_THREADS)
        return false;
    for (uint32_t id = 0; id < trace->events.count; id++) {
        struct leaf_event event;
        copy_event(&event, trace, id);
        require_event(leaf, &event);
    }
    return true;
}

/* --- bad events --- */

static uint32_t needed_of(const struct cbpor_leaf *leaf, uint32_t tid)
{
    return tid < LEAF_THREADS ? leaf->place[tid].count : 0;
}

void cbpor_leaf_begin(struct cbpor_leaf *leaf)
{
    leaf->looked = 0;
    leaf->missing = leaf->required.count;
    for (uint32_t i = 0; i < leaf->leaf.nexcluded; i++) {
        struct leaf_sight *sight = &leaf->sight[i];
        sight->possible = true;
        sight->step = leaf->leaf.excluded[i].index;
        for (uint32_t tid = 0; tid < LEAF_THREADS; tid++)
            sight->most[tid] = UINT32_MAX;
    }
}

/* The index at which a step of the thread would take the event: that of the first event of its
 * block. Where a data choice lies between them, another value gives the event another past. */
static uint32_t step_index(const struct cbpor_trace *trace, const struct cbpor_event *event)
{
    const struct cbpor_event *first = &trace->events.item[event->block];
    return first->choice == event->choice ? first->index : event->index;
}

/* What an event of the trace says of an excluded one. */
static void note_event(struct cbpor_leaf *leaf, const struct cbpor_trace *trace,
                       const struct cbpor_event *event, uint32_t i)
{
    const struct leaf_excluded *excluded = &leaf->leaf.excluded[i];
    struct leaf_sight *sight = &leaf->sight[i];
    uint32_t tid = (uint32_t)event->tid;
    uint32_t past = tid < LEAF_THREADS ? excluded->past[tid] : 0;
    if (event->index + 1 == past)
        sight->possible &= hash128_equal(event->hash, excluded->last[tid]);
    if (tid == excluded->tid) {
        if (event->index == excluded->index)
            sight->step = step_index(trace, event);
        return;
    }
    if (event->index < past || !op_dependent(&event->op, &excluded->op))
        return;
    if (tid >= LEAF_THREADS)
        sight->possible = false;
    else if (event->index < sight->most[tid])
        sight->most[tid] = event->index;
}

/* Does a required event depend on it that is still to come? */
static bool precedes_required(const struct cbpor_leaf *leaf, const struct cbpor_trace *trace,
                              const struct cbpor_event *event)
{
    for (uint32_t i = 0; leaf->missing > 0 && i < leaf->required.count; i++) {
        const struct leaf_event *required = &leaf->required.item[i];
        bool there =
            required->tid < trace->threads.count &&
            events_of(trace, trace->threads.item[required->tid].last) > required->index;
        if (!there && required->tid != (uint32_t)event->tid &&
            op_dependent(&event->op, &required->op))
            return true;
    }
    return false;
}

static bool is_excluded(const struct cbpor_leaf *leaf, const struct cbpor_event *event)
{
    for (uint32_t i = 0; i < leaf->leaf.nexcluded; i++) {
        const struct leaf_excluded *excluded = &leaf->leaf.excluded[i];
        if (excluded->tid == (uint32_t)event->tid && excluded->index == event->index &&
            hash128_equal(excluded->hash, event->hash))
            return true;
    }
    return false;
}

static bool is_bad(struct cbpor_leaf *leaf, const struct cbpor_trace *trace,
                   const struct cbpor_event *event)
{
    uint32_t tid = (uint32_t)event->tid;
    if (event->index < needed_of(leaf, tid)) {
        leaf->missing--;
        return !hash128_equal(event->hash,
                              leaf->required.item[leaf->place[tid].item[event->index]].hash);
    }
    return precedes_required(leaf, trace, event) || is_excluded(leaf, event);
}

bool cbpor_leaf_look(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    bool bad = false;
    for (; leaf->looked < trace->events.count; leaf->looked++) {
        const struct cbpor_event *event = &trace->events.item[leaf->looked];
        for (uint32_t i = 0; i < leaf->leaf.nexcluded; i++)
            note_event(leaf, trace, event, i);
        bad |= is_bad(leaf, trace, event);
    }
    return bad;
}

void cbpor_leaf_look_again(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    cbpor_leaf_begin(leaf);
    cbpor_leaf_look(leaf, trace);
}

bool cbpor_leaf_is_inside(const struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    for (uint32_t tid = 0; tid < LEAF_THREADS; tid++) {
        uint32_t has =
            tid < trace->threads.count ? events_of(trace, trace->threads.item[tid].last) : 0;
        if (has < leaf->place[tid].count)
            return false;
    }
    return true;
}

/* --- steps that lead to them --- */

static uint32_t cut_events(const struct cbpor_cut *cut, uint32_t tid)
{
    return tid < cut->last.count ? events_of(cut->trace, cut->last.item[tid]) : 0;
}

/* The next event of the thread must be a required one: is all that it follows there? */
static bool comes_too_early(const struct cbpor_leaf *leaf, const struct cbpor_cut *cut,
                            const struct leaf_event *required)
{
    for (uint32_t tid = 0; tid < LEAF_THREADS; tid++)
        if (leaf->place[tid].count > 0 && required->past[tid] > cut_events(cut, tid))
            return true;
    return false;
}

/* What the pending operation accesses in whatever form it will be executed. */
static struct op certain_form(const struct op *pending)
{
    struct op op = *pending;
    if (op.flags & (OP_GLOBAL | OP_TIMED | OP_SPINS))
        op.nobjects = 0;
    if (!op_has(&op, OP_SAME_FORM)) {
        op.flags &= (uint16_t)~OP_WRITES;
        if (!op_has(&op, OP_SAME_OBJECTS))
            op.nobjects = 0;
    }
    op.flags &= (uint16_t)~OP_GLOBAL;
    return op;
}

static bool breaks_required(const struct cbpor_leaf *leaf, const struct cbpor_cut *cut,
                            uint32_t tid)
{
    struct op op = {.kind = OP_NONE};
    for (uint32_t i = 0; i < leaf->required.count; i++) {
        const struct leaf_event *required = &leaf->required.item[i];
        if (required->tid == tid || cut_events(cut, required->tid) > required->index)
            continue;
        if (op.kind == OP_NONE)
            op = certain_form(cbpor_pending(cut, (int)tid));
        if (op_dependent(&op, &required->op))
            return true;
    }
    return false;
}

static bool is_asleep(const struct cbpor_leaf *leaf, const struct cbpor_cut *cut, uint32_t i)
{
    const struct leaf_excluded *excluded = &leaf->leaf.excluded[i];
    const struct leaf_sight *sight = &leaf->sight[i];
    if (!sight->possible || cut_events(cut, excluded->tid) != sight->step)
        return false;
    for (uint32_t tid = 0; tid < LEAF_THREADS; tid++) {
        uint32_t has = cut_events(cut, tid);
        if (tid != excluded->tid && (has < excluded->past[tid] || has > sight->most[tid]))
            return false;
    }
    return true;
}

bool cbpor_leaf_excludes(const struct cbpor_leaf *leaf, const struct cbpor_cut *cut, int thread)
{
    uint32_t tid = (uint32_t)thread;
    uint32_t has = cut_events(cut, tid);
    if (has < needed_of(leaf, tid))
        return comes_too_early(leaf, cut, &leaf->required.item[leaf->place[tid].item[has]]);
    if (breaks_required(leaf, cut, tid))
        return true;
    for (uint32_t i = 0; i < leaf->leaf.nexcluded; i++)
        if (leaf->leaf.excluded[i].tid == tid && is_asleep(leaf, cut, i))
            return true;
    return false;
}

/* --- splitting --- */

/* Does an event of another thread that comes later depend on it, so that traces in another
 * order exist that do not contain it? */
static bool event_races(const struct cbpor_leaf *leaf, uint32_t i)
{
    const struct leaf_event *event = &leaf->comb.events.item[i];
    const uint16_t never = OP_GLOBAL | OP_TIMED_OUT;
    if (event->op.flags & never || event->nchoices > 0)
        return false;
    for (uint32_t j = i + 1; j < leaf->comb.events.count; j++) {
        const struct leaf_event *later = &leaf->comb.events.item[j];
        if (later->tid != event->tid && !(later->op.flags & OP_GLOBAL) &&
            op_dependent(&event->op, &later->op))
            return true;
    }
    return false;
}

/* Its past and itself are required from this split on. */
static void set_level(struct cbpor_leaf *leaf, const struct leaf_event *tooth, uint32_t level)
{
    for (uint32_t i = 0; i < leaf->comb.events.count; i++) {
        struct leaf_event *event = &leaf->comb.events.item[i];
        bool needed = event->index < tooth->past[event->tid] ||
                      (event->tid == tooth->tid && event->index <= tooth->index);
        if (needed && event->level == NO_LEVEL)
            event->level = level;
    }
}

static void copy_trace(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    for (uint32_t id = 0; id < trace->events.count; id++) {
        const struct cbpor_event *event = &trace->events.item[id];
        struct leaf_event *copy = vector_add(leaf->pool, &leaf->comb.events);
        copy_event(copy, trace, id);
        copy->choice = leaf->comb.choices.count;
        copy->nchoices = event->nchoices;
        for (uint32_t i = 0; i < event->nchoices; i++)
            *vector_add(leaf->pool, &leaf->comb.choices) =
                trace->choices.item[event->choice + i].value;
        if (copy->index < needed_of(leaf, copy->tid))
            copy->level = 0;
    }
}

void cbpor_leaf_comb(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    if (leaf->comb.made || trace->threads.count > LEAF_THREADS || trace->events.count == 0)
        return;
    leaf->comb.made = true;
    copy_trace(leaf, trace);
    /* the last event may have ended the execution: it depends on all others then */
    for (uint32_t i = 0; i + 1 < trace->events.count && leaf->comb.count < LEAF_SLOTS; i++) {
        if (leaf->comb.events.item[i].level != NO_LEVEL || !event_races(leaf, i))
            continue;
        leaf->comb.tooth[leaf->comb.count++] = i;
        set_level(leaf, &leaf->comb.events.item[i], leaf->comb.count);
    }
}

static bool trace_contains(const struct cbpor_trace *trace, const struct leaf_event *wanted)
{
    if (wanted->tid >= trace->threads.count)
        return false;
    uint32_t id = trace->threads.item[wanted->tid].first;
    while (id != NO_EVENT && trace->events.item[id].index < wanted->index)
        id = trace->events.item[id].next;
    return id != NO_EVENT && hash128_equal(trace->events.item[id].hash, wanted->hash);
}

uint32_t cbpor_leaf_slot(const struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    for (uint32_t i = leaf->comb.given; i < leaf->comb.count; i++)
        if (!trace_contains(trace, &leaf->comb.events.item[leaf->comb.tooth[i]]))
            return i;
    return LEAF_SLOTS;
}

static const struct leaf_event *find_event(const struct cbpor_leaf *leaf, uint32_t tid,
                                           uint32_t index)
{
    for (uint32_t i = 0; i < leaf->comb.events.count; i++)
        if (leaf->comb.events.item[i].tid == tid && leaf->comb.events.item[i].index == index)
            return &leaf->comb.events.item[i];
    return NULL;
}

static void exclude_tooth(const struct cbpor_leaf *leaf, const struct leaf_event *tooth,
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
            excluded->last[tid] = find_event(leaf, tid, tooth->past[tid] - 1)->hash;
    }
}

/* The schedule of everything that is required with so many splits. False: it is too long. */
static bool lay_steps(const struct cbpor_leaf *leaf, uint32_t level, struct leaf *into)
{
    into->nsteps = 0;
    for (uint32_t i = 0; i < leaf->comb.events.count; i++) {
        const struct leaf_event *event = &leaf->comb.events.item[i];
        if (event->level > level)
            continue;
        if (event->nchoices + 1 > LEAF_STEPS - into->nsteps)
            return false;
        into->step[into->nsteps++] = event->tid;
        for (uint32_t j = 0; j < event->nchoices; j++)
            into->step[into->nsteps++] =
                SCHEDULE_CHOICE | leaf->comb.choices.item[event->choice + j];
    }
    return true;
}

/* Excluded events in whose place a required one is are excluded anyway. */
static void drop_decided(struct cbpor_leaf *leaf)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < leaf->leaf.nexcluded; i++)
        if (leaf->leaf.excluded[i].index >= leaf->place[leaf->leaf.excluded[i].tid].count) {
            leaf->sight[left] = leaf->sight[i];
            leaf->leaf.excluded[left++] = leaf->leaf.excluded[i];
        }
    leaf->leaf.nexcluded = left;
}

int cbpor_leaf_split(struct cbpor_leaf *leaf, struct leaf *gift, struct leaf *kept)
{
    uint32_t slot = leaf->comb.given;
    if (slot >= leaf->comb.count || leaf->leaf.nexcluded == LEAF_EXCLUDED ||
        !lay_steps(leaf, slot + 1, kept))
        return -1;
    const struct leaf_event *tooth = &leaf->comb.events.item[leaf->comb.tooth[slot]];
    *gift = leaf->leaf;
    lay_steps(leaf, slot, gift);
    exclude_tooth(leaf, tooth, &gift->excluded[gift->nexcluded++]);
    leaf->comb.given++;
    for (uint32_t i = 0; i < leaf->comb.events.count; i++)
        if (leaf->comb.events.item[i].level == slot + 1)
            require_event(leaf, &leaf->comb.events.item[i]);
    drop_decided(leaf);
    memcpy(leaf->leaf.step, kept->step, sizeof kept->step);
    leaf->leaf.nsteps = kept->nsteps;
    *kept = leaf->leaf;
    return (int)slot;
}
