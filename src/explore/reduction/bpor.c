/* bpor: bounded partial-order reduction for the preemption bound (paper 002, Algorithms 2 and
 * 3): every local state and deadlock that is reachable with at most c preemptions, for
 * c = 0, 1, 2, … bpor-plain is the algorithm as proven there. */
#include "explore/reduction/por.h"

static struct strategy *bpor_create(struct strategy_context *context, char *error,
                                    unsigned long error_size)
{
    (void)error;
    (void)error_size;
    return por_create(context, false);
}

static struct strategy *bpor_plain_create(struct strategy_context *context, char *error,
                                          unsigned long error_size)
{
    (void)error;
    (void)error_size;
    return por_create(context, true);
}

const struct strategy_ops strategy_bpor = {
    .name = "bpor",
    .traits = STRATEGY_ITERATES | STRATEGY_UNBOUNDED | STRATEGY_REDUCES | STRATEGY_TAKES_FAIR,
    .help = "every local state and deadlock within the bound",
    .create = bpor_create,
    .begin = por_begin,
    .pick = por_pick,
    .choose = por_choose,
    .end = por_end,
};

const struct strategy_ops strategy_bpor_plain = {
    .name = "bpor-plain",
    .traits = STRATEGY_ITERATES | STRATEGY_UNBOUNDED | STRATEGY_REDUCES | STRATEGY_TAKES_FAIR,
    .create = bpor_plain_create,
    .begin = por_begin,
    .pick = por_pick,
    .choose = por_choose,
    .end = por_end,
};
