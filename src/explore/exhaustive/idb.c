/* idb: iterative depth bounding, the search that paper 003 measures iterative context bounding
 * against (sections 1 and 4.4). Depth first, but an execution is given up where it would take
 * more steps than the bound; when nothing is left the bound grows and the search starts again.
 * What bound d covers: every execution of at most d steps, and the first d steps of all others.
 *
 * The bound of the statistics counts steps. An atomic section is one step. */
#include "explore/exhaustive/tree.h"
#include "explore/strategy/strategy.h"

#define STEPS_PER_BOUND 10

struct strategy {
    struct strategy_context *context;
    struct tree tree;
};

static struct strategy *idb_create(struct strategy_context *context, char *error,
                                   unsigned long error_size)
{
    (void)error;
    (void)error_size;
    struct strategy *idb = pool_alloc(context->pool, sizeof *idb);
    idb->context = context;
    context->bound =
        STEPS_PER_BOUND < context->last_bound ? STEPS_PER_BOUND : context->last_bound;
    context->bound_step = STEPS_PER_BOUND;
    tree_init(&idb->tree, context->pool);
    return idb;
}

static void idb_begin(struct strategy *idb)
{
    tree_begin(&idb->tree);
}

static int idb_pick(struct strategy *idb, const struct position *pos)
{
    struct strategy_context *context = idb->context;
    if (pos->depth >= (uint32_t)context->bound) {
        context->stats.pruned_by_bound = true;
        return PICK_PRUNE;
    }
    struct tree_frame *frame = tree_enter(&idb->tree, pos);
    if (!frame)
        return PICK_DIVERGED;
    context->follows = tree_follows(&idb->tree);
    if (frame->chosen != TREE_UNSET)
        return (int)frame->chosen;
    if (frame->count == 0)
        tree_open(&idb->tree, frame, (uint32_t)threadset_count(&pos->enabled));
    return tree_take(&idb->tree, frame, pos);
}

static int idb_choose(struct strategy *idb, int n)
{
    return tree_choose(&idb->tree, n);
}

static enum verdict idb_end(struct strategy *idb, const struct position *pos,
                            enum outcome outcome)
{
    (void)pos;
    (void)outcome;
    idb->context->weight = tree_weight(&idb->tree);
    return tree_advance_search(idb->context, &idb->tree) ? STRATEGY_MORE : STRATEGY_DONE;
}

const struct strategy_ops strategy_idb = {
    .name = "idb",
    .traits = STRATEGY_ITERATES | STRATEGY_BOUNDS_STEPS | STRATEGY_REPEATS,
    .help = "every interleaving of at most 10, 20, 30, … steps, depth first",
    .create = idb_create,
    .begin = idb_begin,
    .pick = idb_pick,
    .choose = idb_choose,
    .end = idb_end,
};
