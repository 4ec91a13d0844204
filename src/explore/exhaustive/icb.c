/* icb: iterative context bounding (paper 003, Algorithm 1).
 *
 * Phase i explores, depth first, what is reachable from each work item of that phase with at
 * most csb further preemptions; a preemption beyond that is offered to phase i + 1. With csb =
 * 0 (the default) phase c runs exactly the executions with c preemptions, so that every
 * interleaving is run once, in order of preemptions. After phase i everything with at most
 * (i + 1) csb + i preemptions has been explored.
 *
 * Data choices and switches away from a blocked or yielding thread are branches of the
 * depth-first search; they are no preemptions.
 *
 * With cache_states a thread is not run again from a state from which it was run before
 * (Algorithm 1's table of section 4). This needs csb = 0: phases then visit states in order of
 * preemptions, so the earlier visit had at least as many left to spend.
 *
 * Invariant: tree frames [0, fixed) are the item's prefix and its preemption. */
#include "base/table.h"
#include "explore/exhaustive/workqueue.h"
#include "explore/strategy/strategy.h"

#define QUEUE_MEMORY (32u << 20)
#define CACHE_STATES (8u << 20) /* at most so many remembered: memory is bounded */

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
    struct table
        visited; /* with cache_states: by (state, thread), the depth of the first run */
};

static struct strategy *icb_create(struct strategy_context *context, char *error,
                                   unsigned long error_size)
{
    int csb = context->options.csb;
    if (csb < 0 || csb > 1000 || (csb > 0 && context->options.cache_states)) {
        strategy_copy(error, error_size,
                      "strategy icb takes a csb from 0 to 1000, and 0 with state caching");
        return NULL;
    }
    struct strategy *icb = pool_alloc(context->pool, sizeof *icb);
    icb->context = context;
    context->bound = csb < context->last_bound ? csb : context->last_bound;
    context->bound_step = csb + 1;
    tree_init(&icb->tree, context->pool);
    workqueue_init(&icb->queue, context->pool, QUEUE_MEMORY);
    if (context->options.cache_states)
        table_init(&icb->visited, context->pool, sizeof(uint32_t));
    icb->phase_items = 1;
    return icb;
}

static void icb_begin(struct strategy *icb)
{
    tree_begin(&icb->tree);
}

/* How many alternatives are branches of this phase; the others are offered to the next. */
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
    context->stats.pruned_by_bound = true;
    if (allowed)
        workqueue_offer(&icb->queue, icb->tree.cursor - 1, situation, pos);
    return 1;
}

/* Has `tid` been run from this state before? If not, it is now.
 *
 * Turning back there may hide a livelock, if the state is one of this execution's own. That is
 * told from the depth d at which each (state, thread) was first run: from there its successors
 * were met at depth d + 1, so as long as nobody turns back at one that was first run at a
 * smaller depth than it has now, d grows with every step from one to the next, and there is no
 * cycle among them. */
static bool seen_before(struct strategy *icb, const struct position *pos, uint32_t tid)
{
    uint64_t state = pos->fingerprint ? pos->fingerprint(pos) : 0;
    if (state == 0)
        return false;
    bool fresh = false;
    uint32_t *depth = icb->visited.count >= CACHE_STATES
                          ? table_get(&icb->visited, state, tid)
                          : table_put(&icb->visited, state, tid, &fresh);
    if (!depth)
        return false;
    if (fresh)
        *depth = pos->depth;
    else if (*depth < pos->depth)
        strategy_raise(icb->context, REASON_KNOWN_STATE_CYCLE);
    return !fresh;
}

static int icb_pick(struct strategy *icb, const struct position *pos)
{
    struct tree_frame *frame = tree_enter(&icb->tree, pos);
    if (!frame)
        return PICK_DIVERGED;
    bool fresh = icb->item_fresh && icb->tree.cursor == icb->tree.fixed;
    if (frame->chosen == TREE_UNSET) {
        if (frame->count == 0)
            tree_open(&icb->tree, frame, count_alternatives(icb, pos, frame->situation));
        frame->chosen = (uint32_t)position_alternative(pos, frame->index);
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

/* Lay the prefix of the next item of the loaded record; frames that it shares with the item
 * before it, of the same record, are in place already. */
static bool next_item(struct strategy *icb)
{
    struct workqueue_item item;
    if (!workqueue_next(&icb->queue, &item))
        return false;
    icb->tree.frames.count = icb->tree.fixed ? icb->tree.fixed - 1 : 0;
    while (icb->tree.frames.count < item.position)
        tree_lay(&icb->tree, icb->queue.prefix.item[icb->tree.frames.count]);
    tree_lay(&icb->tree, item.tid);
    struct tree_frame *preemption = &icb->tree.frames.item[item.position];
    preemption->situation = item.situation;
    preemption->count = 1;
    icb->tree.fixed = item.position + 1;
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
    (void)pos;
    (void)outcome;
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

#define PACKED_MOST ((size_t)256 << 20) /* of the queue: what a file may be made of */

static bool icb_pack(struct strategy *icb)
{
    return spill_gather(&icb->queue.spill, PACKED_MOST);
}

static void icb_unpack(struct strategy *icb)
{
    spill_reopen(&icb->queue.spill);
}

const struct strategy_ops strategy_icb = {
    .name = "icb",
    .traits = STRATEGY_ITERATES | STRATEGY_COUNTS | STRATEGY_TAKES_CSB | STRATEGY_TAKES_CACHE,
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
};
