/* The rows of DESIGN 5 for partial-order reductions (selftest.h). */
#include "selftest/selftest.h"

static const char *coverage_failure(const struct coverage *all, const struct coverage *seen,
                                    int bound)
{
    if (coverage_missing(&all->deadlocks, &seen->deadlocks, bound))
        return "a deadlock within the bound is missing";
    if (coverage_missing(&all->classes, &seen->classes, bound))
        return "a trace within the bound is missing";
    if (coverage_missing(&all->locals, &seen->locals, bound))
        return "a local state within the bound is missing";
    if (coverage_missing(&all->values, &seen->values, bound))
        return "what a thread can see within the bound is missing";
    if (coverage_excess(&all->interleavings, &seen->interleavings, bound))
        return "an interleaving beyond the bound was run";
    return NULL;
}

static const char *claim_failure(const struct coverage *all, const struct coverage *seen,
                                 const struct search_stats *stats, int bound)
{
    if (stats->complete && coverage_missing(&all->classes, &seen->classes, -1))
        return "falsely complete";
    if (bound == BOUND_NONE && !stats->complete)
        return "not complete";
    if (stats->distinct != seen->classes.count)
        return "distinct is not the number of traces";
    if (bound >= 0 && stats->bound_done < bound && !stats->complete)
        return "the bound is not done";
    return NULL;
}

const char *selftest_reduction(const struct selftest_case *one, const struct strategy_ops *ops,
                               int bound, bool alone)
{
    struct search_options options = oracle_options(ops->name, bound);
    struct coverage seen;
    struct search_stats stats;
    if (alone && bound > 0)
        options.first_bound = bound;
    coverage_init(&seen, one->pool);
    if (!oracle_search_custom(one->pool, one->program, ops, &options, &seen, &stats))
        return "refused";
    if ((alone || bound == BOUND_NONE) && coverage_repeats(&seen.interleavings) > 1)
        return "an interleaving was run twice";
    const char *failure = coverage_failure(one->all, &seen, bound);
    return failure ? failure : claim_failure(one->all, &seen, &stats, bound);
}

static const char *every_bound(const struct selftest_case *one, const struct strategy_ops *ops)
{
    const char *failure = NULL;
    for (int bound = 0; !failure && bound <= (int)one->all->most_preemptions; bound++)
        failure = selftest_reduction(one, ops, bound, true);
    return failure ? failure : selftest_reduction(one, ops, 2, false);
}

const char *selftest_dpor(const struct selftest_case *one)
{
    return selftest_reduction(one, &strategy_dpor, BOUND_NONE, false);
}

const char *selftest_dpor_plain(const struct selftest_case *one)
{
    return selftest_reduction(one, &strategy_dpor_plain, BOUND_NONE, false);
}

const char *selftest_bpor(const struct selftest_case *one)
{
    return every_bound(one, &strategy_bpor);
}

const char *selftest_bpor_plain(const struct selftest_case *one)
{
    return every_bound(one, &strategy_bpor_plain);
}
