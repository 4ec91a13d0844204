/* The row `optimal` of DESIGN 5: one execution per trace. */
#include "selftest/selftest.h"

const char *selftest_one_per_trace(const struct selftest_case *one,
                                   const struct strategy_ops *ops, struct search_stats *stats)
{
    struct search_options options = oracle_options(ops->name, BOUND_NONE);
    struct coverage seen;
    coverage_init(&seen, one->pool);
    if (!oracle_search_custom(one->pool, one->program, ops, &options, &seen, stats))
        return "refused";
    if (coverage_missing(&one->all->deadlocks, &seen.deadlocks, -1))
        return "a deadlock is missing";
    if (coverage_missing(&one->all->classes, &seen.classes, -1))
        return "a trace is missing";
    if (coverage_missing(&one->all->locals, &seen.locals, -1))
        return "a local state is missing";
    /* a section that blocks half-way is told apart from one that does not (section.h) */
    if (stats->executions != one->all->classes.count && !synth_has_sections(one->program))
        return "more executions than traces";
    return stats->complete ? NULL : "not complete";
}

const char *selftest_optimal(const struct selftest_case *one)
{
    struct search_stats stats;
    return selftest_one_per_trace(one, &strategy_optimal, &stats);
}
