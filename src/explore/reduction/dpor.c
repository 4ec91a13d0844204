/* dpor: dynamic partial-order reduction with sleep sets (paper 002, Algorithm 2, which refines
 * Flanagan and Godefroid, POPL 2005). Covers every trace; given a bound it is bpor.
 * dpor-plain is the algorithm without the optimisations of section 5. */
#include "explore/reduction/por.h"

static struct strategy *dpor_create(struct strategy_context *context, char *error,
                                    unsigned long error_size)
{
    (void)error;
    (void)error_size;
    return por_create(context, false);
}

static struct strategy *dpor_plain_create(struct strategy_context *context, char *error,
                                          unsigned long error_size)
{
    (void)error;
    (void)error_size;
    return por_create(context, true);
}

const struct strategy_ops strategy_dpor = {
    .name = "dpor",
    .traits = STRATEGY_REDUCES,
    .help = "at least one execution per trace",
    .create = dpor_create,
    .begin = por_begin,
    .pick = por_pick,
    .choose = por_choose,
    .end = por_end,
};

const struct strategy_ops strategy_dpor_plain = {
    .name = "dpor-plain",
    .traits = STRATEGY_REDUCES,
    .create = dpor_plain_create,
    .begin = por_begin,
    .pick = por_pick,
    .choose = por_choose,
    .end = por_end,
};
