/* delay: delay-bounded scheduling (Emmi, Qadeer, Rakamarić, POPL 2011).
 *
 * A deterministic scheduler runs the last thread while it can go on and then the next enabled
 * one in cyclic order; a thread whose pending operation yields goes to the end of that order.
 * Each time it may be made to skip threads: picking the k-th candidate costs k delays. With
 * d delays at most there are polynomially many executions, whatever the number of threads.
 * All executions with at most d delays are explored, for d = 0, 1, 2, …; the bound of the
 * statistics counts delays. */
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
    struct tree_frame *frame = tree_enter(&delay->tree, pos);
    if (!frame)
        return PICK_DIVERGED;
    if (frame->chosen == TREE_UNSET) {
        if (frame->count == 0)
            tree_open(&delay->tree, frame, count_alternatives(delay, pos));
        frame->chosen = (uint32_t)position_alternative(pos, frame->index);
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
    (void)pos;
    (void)outcome;
    delay->context->weight = tree_weight(&delay->tree);
    return tree_advance_search(delay->context, &delay->tree) ? STRATEGY_MORE : STRATEGY_DONE;
}

const struct strategy_ops strategy_delay = {
    .name = "delay",
    .traits = STRATEGY_ITERATES | STRATEGY_DELAYS,
    .help = "deviations from a round-robin scheduler, bounded by --delay",
    .create = delay_create,
    .begin = delay_begin,
    .pick = delay_pick,
    .choose = delay_choose,
    .end = delay_end,
};
