/* dfs: every interleaving once, in depth-first order; with a bound, every interleaving with at
 * most so many preemptions once per bound. The plain search that all others are measured
 * against. */
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
    struct tree_frame *frame = tree_enter(&dfs->tree, pos);
    if (!frame)
        return PICK_DIVERGED;
    if (frame->chosen == TREE_UNSET) {
        if (frame->count == 0)
            tree_open(&dfs->tree, frame, count_alternatives(dfs, pos));
        frame->chosen = (uint32_t)position_alternative(pos, frame->index);
    }
    return (int)frame->chosen;
}

static int dfs_choose(struct strategy *dfs, int n)
{
    return tree_choose(&dfs->tree, n);
}

static enum verdict dfs_end(struct strategy *dfs, const struct position *pos,
                            enum outcome outcome)
{
    (void)pos;
    (void)outcome;
    dfs->context->weight = tree_weight(&dfs->tree);
    return tree_advance_search(dfs->context, &dfs->tree) ? STRATEGY_MORE : STRATEGY_DONE;
}

const struct strategy_ops strategy_dfs = {
    .name = "dfs",
    .traits = 0,
    .help = "every interleaving once, depth first",
    .create = dfs_create,
    .begin = dfs_begin,
    .pick = dfs_pick,
    .choose = dfs_choose,
    .end = dfs_end,
};
