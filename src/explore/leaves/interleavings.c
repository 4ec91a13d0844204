/* See interleavings.h. */
#include "explore/leaves/interleavings.h"

bool leaf_filter_enter(struct leaf_filter *filter, const struct strategy_context *context,
                       const struct leaf *leaf)
{
    if (context->options.fair >= 0)
        return false;
    filter->member = membership_create(context->pool, leaf);
    if (!filter->member)
        return false;
    hb_init(&filter->hb, context->pool);
    filter->surveying = leaf->nsteps > 0;
    return true;
}

void leaf_filter_begin(struct leaf_filter *filter)
{
    if (!filter->member)
        return;
    membership_begin(filter->member);
    hb_begin(&filter->hb);
    filter->looked = filter->followed = 0;
    filter->bad = filter->begun = filter->asks_first = false;
    filter->events.count = filter->choices.count = 0;
}

/* --- events --- */

/* Are the events of this execution needed one by one? */
static bool keeps_events(const struct leaf_filter *filter)
{
    return filter->surveying || !filter->member->comb.made;
}

static void keep_event(struct leaf_filter *filter, uint32_t tid, uint32_t index,
                       const struct op *op, struct hash128 hash)
{
    uint32_t known = 0;
    if (filter->events.count > 0) {
        const struct leaf_event *before = &filter->events.item[filter->events.count - 1];
        known = before->choice + before->nchoices;
    }
    struct leaf_event *kept = vector_add(filter->member->pool, &filter->events);
    *kept = (struct leaf_event){.tid = tid, .index = index, .op = *op, .hash = hash};
    kept->choice = known;
    kept->nchoices = filter->choices.count - known;
}

/* Adds the step that led here, if it is new. */
static void look_at_step(struct leaf_filter *filter, const struct position *pos)
{
    if (pos->depth == filter->looked || !pos->done)
        return;
    filter->looked = pos->depth;
    uint32_t tid = (uint32_t)pos->last;
    struct hash128 hash = hb_step(&filter->hb, pos->last, pos->done);
    uint32_t index = filter->hb.threads.item[tid].events - 1;
    if (keeps_events(filter) && filter->events.count < LEAF_STEPS)
        keep_event(filter, tid, index, pos->done, hash);
    filter->bad |=
        !filter->surveying && membership_look(filter->member, tid, index, pos->done, hash);
}

static int follow_survey(struct leaf_filter *filter, const struct position *pos)
{
    const struct leaf *leaf = &filter->member->leaf;
    if (filter->followed == leaf->nsteps)
        return PICK_PRUNE;
    uint32_t tid = leaf->step[filter->followed];
    if (tid >= (uint32_t)pos->nthreads || !threadset_has(&pos->enabled, (int)tid))
        return PICK_PRUNE;
    filter->followed++;
    return (int)tid;
}

int leaf_filter_pick(struct leaf_filter *filter, const struct position *pos)
{
    if (!filter->member)
        return FILTER_FREE;
    look_at_step(filter, pos);
    filter->begun = true;
    if (filter->surveying)
        return follow_survey(filter, pos);
    return filter->bad ? PICK_PRUNE : FILTER_FREE;
}

int leaf_filter_choose(struct leaf_filter *filter, int n)
{
    if (!filter->member || !filter->surveying)
        return -1;
    const struct leaf *leaf = &filter->member->leaf;
    uint32_t value = 0;
    if (filter->followed < leaf->nsteps && leaf->step[filter->followed] & SCHEDULE_CHOICE)
        value = leaf->step[filter->followed++] & ~SCHEDULE_CHOICE;
    return value < (uint32_t)n ? (int)value : 0;
}

void leaf_filter_chose(struct leaf_filter *filter, int n, int value)
{
    if (!filter->member)
        return;
    hb_choice(&filter->hb, n, value);
    filter->asks_first |= !filter->begun;
    if (keeps_events(filter) && filter->events.count < LEAF_STEPS)
        *vector_add(filter->member->pool, &filter->choices) = (uint32_t)value;
}

/* --- steps that lead out of the leaf --- */

/* Its next event must be a required one: has everything that it follows happened? */
static bool comes_too_early(const struct membership *member, const struct leaf_event *required)
{
    for (uint32_t tid = 0; tid < LEAF_THREADS; tid++)
        if (required->past[tid] > member->has[tid])
            return true;
    return false;
}

bool leaf_filter_excludes(const struct leaf_filter *filter, const struct position *pos, int tid)
{
    const struct membership *member = filter->member;
    if (!member || member->missing == 0)
        return false;
    uint32_t has = tid < LEAF_THREADS ? member->has[tid] : 0;
    if (has < membership_needs(member, (uint32_t)tid))
        return comes_too_early(member, membership_needed(member, (uint32_t)tid, has));
    struct op op = leaf_certain_form(&pos->pending[tid]);
    for (uint32_t i = 0; i < member->required.count; i++) {
        const struct leaf_event *required = &member->required.item[i];
        if (required->tid != (uint32_t)tid && member->has[required->tid] <= required->index &&
            op_dependent(&op, &required->op))
            return true;
    }
    return false;
}

threadset leaf_filter_others(const struct leaf_filter *filter, const struct position *pos,
                             int without)
{
    threadset others = pos->enabled;
    if (without >= 0)
        threadset_remove(&others, without);
    for (int tid = threadset_next(&others, 0); filter->member && tid >= 0;
         tid = threadset_next(&others, tid + 1))
        if (leaf_filter_excludes(filter, pos, tid))
            threadset_remove(&others, tid);
    return others;
}

/* --- the end of an execution --- */

/* Computes what comes before each event, from the operations alone. */
static void order_events(struct leaf_event *event, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i; j-- > 0;) {
            bool known = event[j].index < event[i].past[event[j].tid];
            if (known ||
                (event[j].tid != event[i].tid && !op_dependent(&event[j].op, &event[i].op)))
                continue;
            for (uint32_t tid = 0; tid < LEAF_THREADS; tid++)
                if (event[j].past[tid] > event[i].past[tid])
                    event[i].past[tid] = event[j].past[tid];
            event[i].past[event[j].tid] = event[j].index + 1;
        }
    }
}

/* False: some thread has too large a number for a leaf. */
static bool threads_fit(const struct leaf_filter *filter)
{
    for (uint32_t i = 0; i < filter->events.count; i++)
        if (filter->events.item[i].tid >= LEAF_THREADS)
            return false;
    return true;
}

static void end_survey(struct leaf_filter *filter, struct strategy_context *context,
                       enum outcome outcome)
{
    struct membership *member = filter->member;
    filter->surveying = false;
    if (outcome != OUTCOME_PRUNED || !threads_fit(filter) ||
        filter->followed != member->leaf.nsteps ||
        filter->events.count != membership_steps(member)) {
        filter->gave_up = true;
        strategy_raise_lost(context);
        return;
    }
    order_events(filter->events.item, filter->events.count);
    for (uint32_t i = 0; i < filter->events.count; i++)
        membership_require(member, &filter->events.item[i]);
}

static void make_comb(struct leaf_filter *filter)
{
    struct membership *member = filter->member;
    if (filter->asks_first || !threads_fit(filter))
        filter->events.count = 0;
    order_events(filter->events.item, filter->events.count);
    for (uint32_t i = 0; i < filter->events.count; i++)
        *membership_comb_add(member) = filter->events.item[i];
    for (uint32_t i = 0; i < filter->choices.count; i++)
        *vector_add(member->pool, &member->comb.choices) = filter->choices.item[i];
    membership_comb(member);
}

bool leaf_filter_end(struct leaf_filter *filter, struct strategy_context *context,
                     const struct position *pos, enum outcome outcome)
{
    struct membership *member = filter->member;
    if (!member)
        return false;
    look_at_step(filter, pos);
    if (filter->surveying) {
        end_survey(filter, context, outcome);
        return true;
    }
    context->outside = filter->bad || !membership_is_inside(member);
    if (context->outside || outcome == OUTCOME_PRUNED)
        return false;
    if (!member->comb.made)
        make_comb(filter);
    context->slot = membership_slot(member);
    return false;
}

int leaf_filter_split(struct leaf_filter *filter, struct leaf *gift, struct leaf *kept)
{
    if (!filter->member || filter->surveying || filter->gave_up)
        return -1;
    return membership_split(filter->member, gift, kept, NULL);
}
