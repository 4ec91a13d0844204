/* dpor: dynamic partial-order reduction with sleep sets (paper 002, Algorithm 2, which refines
 * Flanagan and Godefroid, POPL 2005). Covers every trace.
 *
 * bpor: the same engine with a preemption bound (paper 002, Algorithms 2 and 3). Covers every
 * local state and deadlock that is reachable with at most c preemptions, for c = 0, 1, 2, …
 *
 * dpor-plain and bpor-plain are the algorithms as proven there, without the optimisations of
 * section 5. */
#include "explore/reduction/por.h"

static struct strategy *create_optimised(struct strategy_context *context, char *error,
                                         unsigned long error_size)
{
    (void)error;
    (void)error_size;
    return por_create(context, false);
}

static struct strategy *create_plain(struct strategy_context *context, char *error,
                                     unsigned long error_size)
{
    (void)error;
    (void)error_size;
    return por_create(context, true);
}

#define OPS(shown, more_traits, maker, line)                                                   \
    {                                                                                          \
        .name = (shown),                                                                       \
        .traits = STRATEGY_TAKES_SYMMETRIC | STRATEGY_REDUCES | (more_traits), .help = (line), \
        .create = (maker), .begin = por_begin, .pick = por_pick, .choose = por_choose,         \
        .end = por_end, .mark = por_mark, .go_on = por_go_on, .enter = por_enter,              \
        .split = por_split, .gave_up = por_gave_up,                                            \
    }
#define PARTS   STRATEGY_TAKES_WITHOUT
#define PLAIN   STRATEGY_TAKES_POSTCONDITIONS
#define BOUNDED (STRATEGY_ITERATES | STRATEGY_UNBOUNDED | STRATEGY_TAKES_FAIR)

const struct strategy_ops strategy_dpor = OPS(
    "dpor", PARTS | STRATEGY_SPLITTABLE, create_optimised, "at least one execution per trace");
const struct strategy_ops strategy_dpor_plain = OPS(
    "dpor-plain", PLAIN, create_plain, "dpor as paper 002 proves it, without optimisations");
const struct strategy_ops strategy_bpor =
    OPS("bpor", BOUNDED | PARTS, create_optimised,
        "every local state and deadlock within the bound");
const struct strategy_ops strategy_bpor_plain =
    OPS("bpor-plain", BOUNDED | PLAIN, create_plain,
        "bpor as paper 002 proves it, without optimisations");
