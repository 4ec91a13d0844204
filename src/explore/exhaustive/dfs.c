/* dfs: every interleaving once, in depth-first order; with a bound, every interleaving with at
 * most that many preemptions once per bound. All other strategies are compared with this plain
 * search. */
#include "explore/exhaustive/tree.h"
#include "explore/strategy/strategy.h"

struct strategy {
    struct strategy_context *context;
    struct tree tree;
};

static struct strategy *dfs_create(struct strategy_context *context, char *error,
                                   unsigned long error_size)
{
    (void)error;
    (void)error_size;
    struct strategy *dfs = pool_alloc(context->pool, sizeof *dfs);
    dfs->context = context;
    tree_init(&dfs->tree, context->pool);
    return dfs;
}

static void dfs_begin(struct strategy *dfs)
{
    tree_begin(&dfs->tree);
}

static uint32_t count_alternatives(struct strategy *dfs, const struct position *pos)
{
    struct strategy_context *context = dfs->context;
    uint32_t enabled = (uint32_t)threadset_count(&pos->enabled);
    if (context->bound == BOUND_NONE || context->preemptions < context->bound ||
        !position_last_goes_on(pos))
        return enabled;
    context->stats.pruned_by_bound |= enabled > 1;
    return 1;
}

static int dfs_pick(struct strategy *dfs, const struct position *pos)
{
    int guided = leaf_filter_pick(&dfs->tree.filter, pos);
    if (guided != FILTER_FREE)
        return guided;
    struct tree_frame *frame = tree_enter(&dfs->tree, pos);
    if (!frame)
        return PICK_DIVERGED;
    dfs->context->follows = tree_follows(&dfs->tree);
    if (frame->chosen == TREE_UNSET) {
        if (frame->count == 0)
            tree_open(&dfs->tree, frame, count_alternatives(dfs, pos));
        if (tree_take(&dfs->tree, frame, pos) == PICK_PRUNE)
            return PICK_PRUNE;
    }
    return (int)frame->chosen;
}

static int dfs_choose(struct strategy *dfs, int n)
{
    return tree_choose(&dfs->tree, n);
}

static bool dfs_mark(struct strategy *dfs, struct strategy_mark *mark)
{
    return tree_mark(&dfs->tree, mark);
}

static enum strategy_goes_on dfs_go_on(struct strategy *dfs, const struct strategy_mark *mark)
{
    return tree_go_on(&dfs->tree, mark);
}

static enum verdict dfs_end(struct strategy *dfs, const struct position *pos,
                            enum outcome outcome)
{
    struct leaf_filter *filter = &dfs->tree.filter;
    if (leaf_filter_end(filter, dfs->context, pos, outcome))
        return filter->gave_up ? STRATEGY_DONE : STRATEGY_MORE;
    dfs->context->weight = tree_weight(&dfs->tree);
    return tree_advance_search(dfs->context, &dfs->tree) ? STRATEGY_MORE : STRATEGY_DONE;
}

static bool dfs_enter(struct strategy *dfs, const struct leaf *leaf)
{
    return leaf_filter_enter(&dfs->tree.filter, dfs->context, leaf);
}

static int dfs_split(struct strategy *dfs, struct leaf *gift, struct leaf *kept)
{
    return leaf_filter_split(&dfs->tree.filter, gift, kept);
}

static bool dfs_gave_up(const struct strategy *dfs)
{
    return dfs->tree.filter.gave_up;
}

const struct strategy_ops strategy_dfs = {
    .name = "dfs",
    .traits =
        STRATEGY_TAKES_SYMMETRIC | STRATEGY_TAKES_FAIR | STRATEGY_SPLITTABLE | STRATEGY_REPEATS,
    .help = "every interleaving once, depth first",
    .create = dfs_create,
    .begin = dfs_begin,
    .pick = dfs_pick,
    .choose = dfs_choose,
    .end = dfs_end,
    .mark = dfs_mark,
    .go_on = dfs_go_on,
    .enter = dfs_enter,
    .split = dfs_split,
    .gave_up = dfs_gave_up,
};
