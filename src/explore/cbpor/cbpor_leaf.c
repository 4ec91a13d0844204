/* See cbpor_leaf.h. */
#include "explore/cbpor/cbpor_leaf.h"

/* Of an excluded event, in the trace that is being recorded. */
struct leaf_sight {
    bool possible;               /* its past is as required */
    uint32_t step;               /* index at which a step of its thread would take it */
    uint32_t most[LEAF_THREADS]; /* further events of this thread would change its past */
};

struct cbpor_leaf {
    struct membership *member;
    uint32_t looked; /* events of the trace that were looked at */
    struct leaf_sight sight[LEAF_EXCLUDED];
};

struct cbpor_leaf *cbpor_leaf_create(struct pool *pool, const struct leaf *given)
{
    struct membership *member = membership_create(pool, given);
    if (!member)
        return NULL;
    struct cbpor_leaf *leaf = pool_alloc(pool, sizeof *leaf);
    leaf->member = member;
    return leaf;
}

static void copy_event(struct leaf_event *copy, const struct cbpor_trace *trace, uint32_t id)
{
    const struct cbpor_event *event = &trace->events.item[id];
    const uint32_t *clock = cbpor_trace_clock(trace, id);
    *copy = (struct leaf_event){.tid = (uint32_t)event->tid,
                                .index = event->index,
                                .op = event->op,
                                .hash = event->hash};
    for (uint32_t tid = 0; tid < trace->threads.count && tid < LEAF_THREADS; tid++)
        copy->past[tid] = clock[tid];
    copy->past[copy->tid] = event->index;
}

bool cbpor_leaf_require(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    if (trace->events.count != membership_steps(leaf->member) ||
        trace->threads.count > LEAF_THREADS)
        return false;
    for (uint32_t id = 0; id < trace->events.count; id++) {
        struct leaf_event event;
        copy_event(&event, trace, id);
        membership_require(leaf->member, &event);
    }
    return membership_is_as_meant(leaf->member);
}

/* --- bad events --- */

void cbpor_leaf_begin(struct cbpor_leaf *leaf)
{
    leaf->looked = 0;
    membership_begin(leaf->member);
    for (uint32_t i = 0; i < leaf->member->leaf.nexcluded; i++) {
        struct leaf_sight *sight = &leaf->sight[i];
        sight->possible = true;
        sight->step = leaf->member->leaf.excluded[i].index;
        for (uint32_t tid = 0; tid < LEAF_THREADS; tid++)
            sight->most[tid] = UINT32_MAX;
    }
}

/* The index at which a step of the thread would take the event: that of the first event of its
 * block. If there is a data choice between them, another value gives the event another past. */
static uint32_t step_index(const struct cbpor_trace *trace, const struct cbpor_event *event)
{
    const struct cbpor_event *first = &trace->events.item[event->block];
    return first->choice == event->choice ? first->index : event->index;
}

/* What an event of the trace says about an excluded one. */
static void note_event(struct cbpor_leaf *leaf, const struct cbpor_trace *trace,
                       const struct cbpor_event *event, uint32_t i)
{
    const struct leaf_excluded *excluded = &leaf->member->leaf.excluded[i];
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

static bool look_at_events(struct cbpor_leaf *leaf, const struct cbpor_trace *trace,
                           uint32_t until)
{
    bool bad = false;
    for (; leaf->looked < until; leaf->looked++) {
        const struct cbpor_event *event = &trace->events.item[leaf->looked];
        for (uint32_t i = 0; i < leaf->member->leaf.nexcluded; i++)
            note_event(leaf, trace, event, i);
        bad |= membership_look(leaf->member, (uint32_t)event->tid, event->index, &event->op,
                               event->hash);
    }
    return bad;
}

/* Has the last event of the trace, whatever became of it, the past of this one? */
static bool last_takes(const struct cbpor_trace *trace, const struct leaf_excluded *meant)
{
    uint32_t last = trace->events.count - 1;
    uint32_t found = 0, needed = 0;
    for (uint32_t tid = 0; tid < LEAF_THREADS; tid++)
        needed += meant->past[tid] > 0;
    for (uint32_t id = 0; id < last; id++) {
        const struct cbpor_event *event = &trace->events.item[id];
        uint32_t tid = (uint32_t)event->tid;
        uint32_t past = tid < LEAF_THREADS ? meant->past[tid] : 0;
        if (event->index + 1 == past)
            found += hash128_equal(event->hash, meant->last[tid]);
        if (tid != meant->tid && event->index >= past && op_dependent(&event->op, &meant->op))
            return false;
    }
    const struct cbpor_event *event = &trace->events.item[last];
    return (uint32_t)event->tid == meant->tid && event->index == meant->index &&
           found == needed;
}

bool cbpor_leaf_look_at_end(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    struct membership *member = leaf->member;
    if (leaf->looked == trace->events.count)
        return false;
    uint32_t last = trace->events.count - 1;
    bool bad = look_at_events(leaf, trace, last);
    for (uint32_t i = 0; i < member->leaf.nexcluded; i++) {
        note_event(leaf, trace, &trace->events.item[last], i);
        bad |= last_takes(trace, &member->leaf.excluded[i]);
    }
    for (uint32_t i = member->comb.given; i < member->comb.count; i++) {
        struct leaf_excluded tooth;
        membership_tooth(member, i, &tooth);
        if (last_takes(trace, &tooth))
            member->comb.met |= UINT32_C(1) << i;
    }
    const struct cbpor_event *event = &trace->events.item[last];
    leaf->looked++;
    return bad | membership_end(member, (uint32_t)event->tid, event->index);
}

bool cbpor_leaf_look(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    return look_at_events(leaf, trace, trace->events.count);
}
void cbpor_leaf_look_again(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    cbpor_leaf_begin(leaf);
    cbpor_leaf_look(leaf, trace);
}

bool cbpor_leaf_is_inside(const struct cbpor_leaf *leaf)
{
    return membership_is_inside(leaf->member);
}

/* --- steps that lead to them --- */

static uint32_t cut_events(const struct cbpor_cut *cut, uint32_t tid)
{
    if (tid >= cut->last.count || cut->last.item[tid] == NO_EVENT)
        return 0;
    return cut->trace->events.item[cut->last.item[tid]].index + 1;
}

/* The next event of the thread must be a required one: is everything that it follows in the
 * cut? */
static bool comes_too_early(const struct membership *member, const struct cbpor_cut *cut,
                            const struct leaf_event *required)
{
    for (uint32_t tid = 0; tid < LEAF_THREADS; tid++)
        if (membership_needs(member, tid) > 0 && required->past[tid] > cut_events(cut, tid))
            return true;
    return false;
}

static bool breaks_required(const struct membership *member, const struct cbpor_cut *cut,
                            uint32_t tid)
{
    struct op op = {.kind = OP_NONE};
    for (uint32_t i = 0; i < member->required.count; i++) {
        const struct leaf_event *required = &member->required.item[i];
        if (required->tid == tid || cut_events(cut, required->tid) > required->index)
            continue;
        if (op.kind == OP_NONE)
            op = leaf_certain_form(cbpor_pending(cut, (int)tid));
        if (op_dependent(&op, &required->op))
            return true;
    }
    return false;
}

static bool is_asleep(const struct cbpor_leaf *leaf, const struct cbpor_cut *cut, uint32_t i)
{
    const struct leaf_excluded *excluded = &leaf->member->leaf.excluded[i];
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
    const struct membership *member = leaf->member;
    uint32_t tid = (uint32_t)thread;
    uint32_t has = cut_events(cut, tid);
    if (has < membership_needs(member, tid))
        return comes_too_early(member, cut, membership_needed(member, tid, has));
    if (breaks_required(member, cut, tid))
        return true;
    for (uint32_t i = 0; i < member->leaf.nexcluded; i++)
        if (member->leaf.excluded[i].tid == tid && is_asleep(leaf, cut, i))
            return true;
    return false;
}

/* --- private objects --- */

void cbpor_leaf_users(const struct cbpor_leaf *leaf, struct cbpor_trace *trace)
{
    const struct membership *member = leaf->member;
    for (uint32_t i = 0; i < member->required.count; i++)
        cbpor_block_users(trace, (int)member->required.item[i].tid,
                          &member->required.item[i].op);
    for (uint32_t i = 0; i < member->leaf.nexcluded; i++)
        cbpor_block_share(trace, &member->leaf.excluded[i].op);
}

/* --- splitting --- */

void cbpor_leaf_comb(struct cbpor_leaf *leaf, const struct cbpor_trace *trace)
{
    struct membership *member = leaf->member;
    if (member->comb.made)
        return;
    uint32_t count = trace->threads.count > LEAF_THREADS ? 0 : trace->events.count;
    for (uint32_t id = 0; id < count; id++) {
        const struct cbpor_event *event = &trace->events.item[id];
        struct leaf_event *copy = membership_comb_add(member);
        copy_event(copy, trace, id);
        copy->choice = member->comb.choices.count;
        copy->nchoices = event->nchoices;
        for (uint32_t i = 0; i < event->nchoices; i++)
            *vector_add(member->pool, &member->comb.choices) =
                trace->choices.item[event->choice + i].value;
    }
    membership_comb(member);
}

uint32_t cbpor_leaf_slot(const struct cbpor_leaf *leaf)
{
    return membership_slot(leaf->member);
}

int cbpor_leaf_split(struct cbpor_leaf *leaf, struct leaf *gift, struct leaf *kept)
{
    uint32_t moved[LEAF_EXCLUDED];
    int slot = membership_split(leaf->member, gift, kept, moved);
    for (uint32_t i = 0; slot >= 0 && i < leaf->member->leaf.nexcluded; i++)
        leaf->sight[i] = leaf->sight[moved[i]];
    return slot;
}
