/* delay: delay-bounded scheduling (Emmi, Qadeer, Rakamarić, POPL 2011).
 *
 * A deterministic scheduler runs the last thread as long as it can continue, and then the next
 * enabled one in cyclic order; a thread whose pending operation yields goes to the end of that
 * order. At each step the search may make it skip threads: picking the k-th candidate costs k
 * delays. With at most d delays there are polynomially many executions, whatever the number of
 * threads. All executions with at most d delays are explored, for d = 0, 1, 2, …; the bound of
 * the statistics counts delays. */
#include "explore/exhaustive/tree.h"
#include "explore/strategy/strategy.h"

struct strategy {
    struct strategy_context *context;
    struct tree tree;
    uint32_t used; /* delays of this execution */
};

static struct strategy *delay_create(struct strategy_context *context, char *error,
                                     unsigned long error_size)
{
    (void)error;
    (void)error_size;
    struct strategy *delay = pool_alloc(context->pool, sizeof *delay);
    delay->context = context;
    tree_init(&delay->tree, context->pool);
    return delay;
}

static void delay_begin(struct strategy *delay)
{
    delay->used = 0;
    tree_begin(&delay->tree);
}

static uint32_t count_alternatives(struct strategy *delay, const struct position *pos)
{
    uint32_t enabled = (uint32_t)threadset_count(&pos->enabled);
    uint32_t affordable = (uint32_t)delay->context->bound - delay->used + 1;
    if (enabled <= affordable)
        return enabled;
    delay->context->stats.pruned_by_bound = true;
    return affordable;
}

static int delay_pick(struct strategy *delay, const struct position *pos)
{
    int guided = leaf_filter_pick(&delay->tree.filter, pos);
    if (guided != FILTER_FREE)
        return guided;
    struct tree_frame *frame = tree_enter(&delay->tree, pos);
    if (!frame)
        return PICK_DIVERGED;
    delay->context->follows = tree_follows(&delay->tree);
    if (frame->chosen == TREE_UNSET) {
        if (frame->count == 0)
            tree_open(&delay->tree, frame, count_alternatives(delay, pos));
        if (tree_take(&delay->tree, frame, pos) == PICK_PRUNE)
            return PICK_PRUNE;
    }
    delay->used += frame->index;
    return (int)frame->chosen;
}

static int delay_choose(struct strategy *delay, int n)
{
    return tree_choose(&delay->tree, n);
}

static enum verdict delay_end(struct strategy *delay, const struct position *pos,
                              enum outcome outcome)
{
    struct leaf_filter *filter = &delay->tree.filter;
    if (leaf_filter_end(filter, delay->context, pos, outcome))
        return filter->gave_up ? STRATEGY_DONE : STRATEGY_MORE;
    delay->context->weight = tree_weight(&delay->tree);
    return tree_advance_search(delay->context, &delay->tree) ? STRATEGY_MORE : STRATEGY_DONE;
}

static bool delay_enter(struct strategy *delay, const struct leaf *leaf)
{
    return leaf_filter_enter(&delay->tree.filter, delay->context, leaf);
}

static int delay_split(struct strategy *delay, struct leaf *gift, struct leaf *kept)
{
    return leaf_filter_split(&delay->tree.filter, gift, kept);
}

static bool delay_gave_up(const struct strategy *delay)
{
    return delay->tree.filter.gave_up;
}

const struct strategy_ops strategy_delay = {
    .name = "delay",
    .traits = STRATEGY_ITERATES | STRATEGY_DELAYS | STRATEGY_TAKES_FAIR | STRATEGY_SPLITTABLE |
              STRATEGY_REPEATS,
    .help = "deviations from a round-robin scheduler, bounded by --delay",
    .create = delay_create,
    .begin = delay_begin,
    .pick = delay_pick,
    .choose = delay_choose,
    .end = delay_end,
    .enter = delay_enter,
    .split = delay_split,
    .gave_up = delay_gave_up,
};
