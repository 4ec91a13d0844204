/* What partial-order reductions must cover (selftest.h). */
#include "selftest/selftest.h"

static const char *coverage_failure(const struct oracle_coverage *all,
                                    const struct oracle_coverage *seen, int bound)
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

static const char *claim_failure(const struct oracle_coverage *all,
                                 const struct oracle_coverage *seen,
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

static const char *reduction_without(const struct selftest_case *one,
                                     const struct strategy_ops *ops, int bound, bool alone,
                                     uint32_t without)
{
    struct search_options options = oracle_options(ops->name, bound);
    options.without = without;
    options.postconditions = ops->traits & STRATEGY_TAKES_POSTCONDITIONS;
    struct oracle_coverage seen;
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

/* A reduction covers everything within the bound (BOUND_NONE: everything):
 * terminal traces, deadlocks, local states; and claims and counts are right. `ops` may be a
 * strategy that is not in the table. With `alone` only this bound is searched, without the
 * smaller ones, which could hide what it misses. */
static const char *selftest_reduction(const struct selftest_case *one,
                                      const struct strategy_ops *ops, int bound, bool alone)
{
    return reduction_without(one, ops, bound, alone, 0);
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

/* Some of the 31 ways to leave out parts; over the programs, all of them. */
const char *selftest_without(const struct selftest_case *one)
{
    const char *failure = NULL;
    uint32_t first = one->all->interleavings.count * 7 + (uint32_t)one->all->classes.count;
    for (uint32_t i = 0; !failure && i < 3; i++) {
        uint32_t without = (first + i * 11) % PARTS_ALL + 1;
        failure = reduction_without(one, &strategy_dpor, BOUND_NONE, false, without);
        for (int bound = 0; !failure && bound <= 2; bound++)
            failure = reduction_without(one, &strategy_bpor, bound, true, without);
    }
    return failure;
}

const char *selftest_bpor_plain(const struct selftest_case *one)
{
    return every_bound(one, &strategy_bpor_plain);
}

#define FAIR_LIMIT 800 /* executions of a program with cycles */

void selftest_make_cyclic(const struct synth_program *program, struct synth_program *cyclic)
{
    *cyclic = *program;
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++) {
            struct synth_op *op = &cyclic->op[tid][i];
            if (op->kind == SYNTH_AWAIT && op->time == TIME_NEVER)
                op->kind = SYNTH_SPIN;
        }
}

static const char *selftest_fair_reduction(const struct selftest_case *one,
                                           const struct strategy_ops *ops, int bound, int fair)
{
    struct synth_program program;
    struct oracle_coverage all, seen;
    struct search_stats stats;
    struct search_options options = oracle_options(ops->name, bound);
    options.first_bound = bound > 0 ? bound : 0;
    options.fair = fair;
    selftest_make_cyclic(one->program, &program);
    coverage_init(&all, one->pool);
    coverage_init(&seen, one->pool);
    if (!oracle_enumerate_fair(&program, FAIR_LIMIT, fair, &all))
        return NULL;
    if (!oracle_search_custom(one->pool, &program, ops, &options, &seen, &stats))
        return "refused";
    if (coverage_missing(&all.locals, &seen.locals, bound))
        return "a local state within the bounds is missing";
    if (coverage_missing(&all.deadlocks, &seen.deadlocks, bound))
        return "a deadlock within the bounds is missing";
    if (coverage_excess(&all.locals, &seen.locals, bound))
        return "a local state beyond the bounds was reached";
    if (stats.livelock != (seen.cuts > 0))
        return "a livelock is missed or made up";
    if (stats.complete && (all.cuts > 0 || all.interleavings.count < one->all->classes.count))
        return "falsely complete";
    return NULL;
}

/* Without reduction: every interleaving within the bounds, exactly once. */
static const char *fair_interleavings(const struct selftest_case *one, const char *strategy,
                                      int bound, int fair)
{
    struct synth_program program;
    struct oracle_coverage all, seen;
    struct search_stats stats;
    struct search_options options = oracle_options(strategy, bound);
    options.fair = fair;
    selftest_make_cyclic(one->program, &program);
    coverage_init(&all, one->pool);
    coverage_init(&seen, one->pool);
    if (!oracle_enumerate_fair(&program, FAIR_LIMIT, fair, &all))
        return NULL;
    if (!oracle_search(one->pool, &program, &options, &seen, &stats))
        return "refused";
    if (coverage_missing(&all.interleavings, &seen.interleavings, bound))
        return "an interleaving within the bounds is missing";
    if (coverage_excess(&all.interleavings, &seen.interleavings, bound))
        return "an interleaving beyond the bounds was run";
    if (coverage_repeats(&seen.interleavings) > 1)
        return "an interleaving was run twice";
    if (stats.livelock != (seen.cuts > 0))
        return "a livelock is missed or made up";
    if (stats.complete && (all.cuts > 0 || all.interleavings.count < one->all->classes.count))
        return "falsely complete";
    return NULL;
}

const char *selftest_fair_unreduced(const struct selftest_case *one)
{
    const char *failure = NULL;
    for (int fair = 0; !failure && fair < 2; fair++) {
        failure = fair_interleavings(one, "dfs", BOUND_NONE, fair);
        for (int bound = 0; !failure && bound < 3; bound++)
            failure = fair_interleavings(one, "icb", bound, fair);
    }
    return failure;
}

const char *selftest_fair(const struct selftest_case *one)
{
    const char *failure = NULL;
    for (int fair = 0; !failure && fair < 2; fair++) {
        failure = selftest_fair_reduction(one, &strategy_bpor, BOUND_NONE, fair);
        for (int bound = 0; !failure && bound < 3; bound++)
            failure = selftest_fair_reduction(one, &strategy_bpor, bound, fair);
    }
    return failure;
}
