/* icb: iterative context bounding (paper 003, Algorithm 1).
 *
 * Phase i explores, depth first, what is reachable from each work item of that phase with at
 * most csb further preemptions; a preemption beyond that is offered to phase i + 1. With csb =
 * 0 (the default) phase c runs exactly the executions with c preemptions, so that every
 * interleaving is run once, in order of preemptions. After phase i everything with at most
 * (i + 1) csb + i preemptions has been explored.
 *
 * Data choices and switches away from a blocked or yielding thread are branches of the
 * depth-first search; they are not preemptions.
 *
 * With cache_states a thread is not run again from a state if it was run from there before with
 * at most as many preemptions (Algorithm 1's table, section 3). The earlier visit had at least
 * as many preemptions left: in its own phase, or because its phase was an earlier one. With csb
 * = 0 this holds for every earlier visit, since phases are ordered by preemptions. With csb > 0
 * the depth-first search of a phase may first reach a state with more preemptions; then the
 * state is searched again.
 *
 * Invariant: tree frames [0, fixed) are the item's prefix and its preemption. */
#include "base/must.h"
#include "base/table.h"
#include "explore/exhaustive/workqueue.h"
#include "explore/strategy/strategy.h"

#ifndef QUEUE_MEMORY /* tests/unit/test_queue.c has less */
#define QUEUE_MEMORY (32u << 20)
#endif
#define CACHE_STATES (8u << 20) /* states remembered at most: bounds the memory */

struct strategy {
    struct strategy_context *context;
    struct tree tree;
    struct workqueue queue;
    uint32_t phase;
    uint64_t phase_items; /* of this phase: the share of each in the estimate */
    uint64_t offered_before;
    int item_preemptions; /* at the start of the depth-first search of the item */
    bool item_fresh;      /* no execution of the item has passed its preemption yet */
    bool loaded;          /* the queue holds a record, of this phase or the next */
    struct table visited; /* with cache_states: by (state, thread), a struct cheapest_visit */
};

/* The cheapest way so far in which a thread was run from a state. */
struct cheapest_visit {
    uint32_t depth;
    uint32_t preemptions; /* including that of the thread itself */
};

static struct strategy *icb_create(struct strategy_context *context, char *error,
                                   unsigned long error_size)
{
    int csb = context->options.csb;
    if (context->options.fair >= 0 && context->options.cache_states) {
        strategy_copy(
            error, error_size,
            "--cache-states can't be used with --fair: what a thread may do then depends "
            "on the yields before a state");
        return NULL;
    }
    if (csb < 0 || csb > 1000) {
        strategy_copy(error, error_size, "strategy icb takes a csb from 0 to 1000");
        return NULL;
    }
    struct strategy *icb = pool_alloc(context->pool, sizeof *icb);
    icb->context = context;
    context->bound = csb < context->last_bound ? csb : context->last_bound;
    context->bound_step = csb + 1;
    tree_init(&icb->tree, context->pool);
    workqueue_init(&icb->queue, context->pool, QUEUE_MEMORY);
    if (context->options.cache_states)
        table_init(&icb->visited, context->pool, sizeof(struct cheapest_visit));
    icb->phase_items = 1;
    return icb;
}

static void icb_begin(struct strategy *icb)
{
    tree_begin(&icb->tree);
}

/* How many alternatives are branches of this phase; the others are offered to the next
 * phase. */
static uint32_t count_alternatives(struct strategy *icb, const struct position *pos,
                                   uint32_t situation)
{
    struct strategy_context *context = icb->context;
    uint32_t enabled = (uint32_t)threadset_count(&pos->enabled);
    if (enabled == 1 || !position_last_goes_on(pos))
        return enabled;
    int spent = context->preemptions - icb->item_preemptions;
    bool allowed = context->preemptions < context->last_bound;
    if (allowed && spent < context->options.csb)
        return enabled;
    threadset others = leaf_filter_others(&icb->tree.filter, pos, pos->last);
    if (threadset_empty(&others))
        return 1;
    context->stats.pruned_by_bound = true;
    if (allowed)
        workqueue_offer(&icb->queue, icb->tree.cursor - 1, situation, &others);
    return 1;
}

/* Has `tid` been run from this state before with as few preemptions? If not, notes that it is
 * now.
 *
 * Pruning there may hide a livelock if the state is on this execution's own path. The depth d
 * at which each (state, thread) was run shows this: its successors were reached at depth d + 1.
 * So as long as no execution is pruned at a (state, thread) that was run at a smaller depth
 * than it has now, d grows with every step from one to the next, and they form no cycle. One
 * that is run again gets its new depth, which must not be smaller: its successors are reached
 * again, one deeper than that. */
static bool seen_before(struct strategy *icb, const struct position *pos, uint32_t tid)
{
    uint64_t state = pos->fingerprint ? pos->fingerprint(pos) : 0;
    if (state == 0)
        return false;
    bool fresh = false;
    struct cheapest_visit now = {.depth = pos->depth,
                                 .preemptions = (uint32_t)(icb->context->preemptions +
                                                           position_preempts(pos, (int)tid))};
    struct cheapest_visit *visit = icb->visited.count >= CACHE_STATES
                                       ? table_get(&icb->visited, state, tid)
                                       : table_put(&icb->visited, state, tid, &fresh);
    if (!visit)
        return false;
    bool again = !fresh && now.preemptions < visit->preemptions;
    if (again ? now.depth < visit->depth : !fresh && visit->depth < now.depth)
        strategy_raise(icb->context, REASON_KNOWN_STATE_CYCLE);
    if (fresh || again)
        *visit = now;
    return !fresh && !again;
}

static int icb_pick(struct strategy *icb, const struct position *pos)
{
    int guided = leaf_filter_pick(&icb->tree.filter, pos);
    if (guided != FILTER_FREE)
        return guided;
    struct tree_frame *frame = tree_enter(&icb->tree, pos);
    if (!frame)
        return PICK_DIVERGED;
    icb->context->follows = tree_follows(&icb->tree);
    bool fresh = icb->item_fresh && icb->tree.cursor == icb->tree.fixed;
    if (frame->chosen == TREE_UNSET) {
        if (frame->count == 0)
            tree_open(&icb->tree, frame, count_alternatives(icb, pos, frame->situation));
        if (tree_take(&icb->tree, frame, pos) == PICK_PRUNE)
            return PICK_PRUNE;
        fresh = true;
    }
    if (!fresh)
        return (int)frame->chosen;
    if (icb->tree.cursor == icb->tree.fixed)
        icb->item_fresh = false;
    if (icb->context->options.cache_states && seen_before(icb, pos, frame->chosen)) {
        strategy_raise(icb->context, REASON_KNOWN_STATES);
        icb->context->turned_back |= !icb->context->options.states_prove;
        return PICK_PRUNE;
    }
    return (int)frame->chosen;
}

static int icb_choose(struct strategy *icb, int n)
{
    return tree_choose(&icb->tree, n);
}

/* Sets up the prefix of the next item of the loaded record; frames that it shares with the
 * previous item of the same record are already in place. */
static bool next_item(struct strategy *icb)
{
    struct workqueue_item item;
    if (!workqueue_next(&icb->queue, &item))
        return false;
    must(item.position <= icb->queue.prefix.count);
    icb->tree.frames.count = icb->tree.fixed ? icb->tree.fixed - 1 : 0;
    while (icb->tree.frames.count < item.position)
        tree_lay(&icb->tree, icb->queue.prefix.item[icb->tree.frames.count]);
    tree_lay(&icb->tree, item.tid);
    struct tree_frame *preemption = &icb->tree.frames.item[item.position];
    preemption->situation = item.situation;
    preemption->count = 1;
    icb->tree.fixed = item.position + 1;
    icb->tree.kept = item.position;
    icb->item_fresh = true;
    return true;
}

/* The next item of this phase, from the loaded record or the next one. */
static enum verdict next_work(struct strategy *icb)
{
    for (;;) {
        if (icb->loaded && icb->queue.current.phase != icb->phase)
            return STRATEGY_DONE;
        if (icb->loaded && next_item(icb))
            return STRATEGY_MORE;
        icb->tree.fixed = 0;
        icb->tree.frames.count = 0;
        icb->loaded = workqueue_load(&icb->queue);
        if (icb->queue.spill.lost)
            strategy_raise(icb->context, REASON_QUEUE_LOST);
        if (!icb->loaded)
            return STRATEGY_DONE;
    }
}

static enum verdict icb_end(struct strategy *icb, const struct position *pos,
                            enum outcome outcome)
{
    struct leaf_filter *filter = &icb->tree.filter;
    if (leaf_filter_end(filter, icb->context, pos, outcome))
        return filter->gave_up ? STRATEGY_DONE : STRATEGY_MORE;
    workqueue_push(&icb->queue, icb->phase + 1, &icb->tree);
    icb->context->weight = tree_weight(&icb->tree);
    if (tree_advance_search(icb->context, &icb->tree))
        return STRATEGY_MORE;
    return next_work(icb);
}

static enum verdict icb_next_bound(struct strategy *icb)
{
    icb->phase++;
    icb->item_preemptions = (int)icb->phase * (icb->context->options.csb + 1);
    icb->phase_items = icb->queue.offered - icb->offered_before;
    icb->offered_before = icb->queue.offered;
    icb->tree.weight = icb->phase_items ? 1.0 / (double)icb->phase_items : 1;
    return next_work(icb);
}

static void icb_destroy(struct strategy *icb)
{
    spill_destroy(&icb->queue.spill);
}

#define PACKED_MOST                                                                            \
    ((size_t)256 << 20) /* bytes of the largest queue that can be packed for                   \
                         * another process */

static bool icb_pack(struct strategy *icb)
{
    return spill_gather(&icb->queue.spill, PACKED_MOST);
}

static void icb_unpack(struct strategy *icb)
{
    spill_reopen(&icb->queue.spill);
}

static bool icb_enter(struct strategy *icb, const struct leaf *leaf)
{
    if (icb->context->options.cache_states) /* it would prune at states of other leaves */
        return false;
    return leaf_filter_enter(&icb->tree.filter, icb->context, leaf);
}

static int icb_split(struct strategy *icb, struct leaf *gift, struct leaf *kept)
{
    return leaf_filter_split(&icb->tree.filter, gift, kept);
}

static bool icb_gave_up(const struct strategy *icb)
{
    return icb->tree.filter.gave_up;
}

const struct strategy_ops strategy_icb = {
    .name = "icb",
    .traits = STRATEGY_TAKES_SYMMETRIC | STRATEGY_ITERATES | STRATEGY_COUNTS |
              STRATEGY_TAKES_CSB | STRATEGY_TAKES_CACHE | STRATEGY_TAKES_FAIR |
              STRATEGY_SPLITTABLE,
    .help = "every interleaving once, in order of preemptions",
    .create = icb_create,
    .begin = icb_begin,
    .pick = icb_pick,
    .choose = icb_choose,
    .end = icb_end,
    .next_bound = icb_next_bound,
    .destroy = icb_destroy,
    .pack = icb_pack,
    .unpack = icb_unpack,
    .enter = icb_enter,
    .split = icb_split,
    .gave_up = icb_gave_up,
};
