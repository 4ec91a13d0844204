/* What cbpor and cbpor-1 must cover: every terminal state with CB <= c exactly once
 * and no others; every happens-before state with CB <= c exactly once. */
#include <string.h>

#include "explore/cbpor/cbpor.h"
#include "selftest/selftest.h"

#define DEEPEST 40 /* more preemptions than any synthetic program has */

/* The strategy under test says what it did when it is destroyed. */
static struct cbpor_counts counted;

static void keep_counts(struct strategy *strategy)
{
    counted = cbpor_counts(strategy);
}

static struct strategy_ops with_counts(const struct strategy_ops *ops)
{
    struct strategy_ops copy = *ops;
    copy.destroy = keep_counts;
    return copy;
}

/* Counts traces that were run with more preemptions than the oracle needs for them. */
static uint32_t count_wasted(const struct table *all, const struct table *seen)
{
    uint32_t wasted = 0;
    uint32_t cursor = 0;
    uint64_t key[2];
    const struct coverage_entry *entry;
    while ((entry = table_next(seen, &cursor, key))) {
        const struct coverage_entry *least = table_get(all, key[0], key[1]);
        wasted += least && entry->preemptions > least->preemptions;
    }
    return wasted;
}

static const char not_claimed[] = "all was run, but complete is not claimed";

/* The bound table: traces within each bound, all of them run once; complete as soon as no trace
 * is left, whatever bound that is. */
static const char *rows_failure(const struct selftest_case *one,
                                const struct search_stats *stats, int bound)
{
    if (stats->nrows == 0)
        return "no bound is done";
    for (int i = 0; i < stats->nrows; i++) {
        uint32_t traces = coverage_count(&one->all->classes, i);
        bool once = stats->row[i].executions == traces || synth_has_sections(one->program);
        if (stats->row[i].bound != i || !once || stats->row[i].distinct != traces)
            return "a row does not count the traces within its bound";
    }
    bool all = coverage_count(&one->all->classes, bound) == one->all->classes.count;
    /* a trace that does not count may lie beyond the bound: then this may or may not be
     * known */
    bool known = coverage_count(&one->all->assumed, bound) == one->all->assumed.count;
    if (stats->complete && !all)
        return "complete is claimed and wrong";
    if (synth_has_sections(one->program) && bound < DEEPEST)
        return NULL;
    if (all && !known)
        return NULL;
    if (!stats->complete && all)
        return not_claimed;
    if (stats->pruned_by_bound == all)
        return "what the bound pruned is wrong";
    if (!all && stats->bound_done != bound)
        return "the bound is not done";
    return NULL;
}

static const char *terminal_failure(const struct selftest_case *one,
                                    const struct strategy_ops *ops, int bound)
{
    struct strategy_ops told = with_counts(ops);
    struct search_options options = oracle_options("", bound);
    struct search_stats stats;
    struct oracle_coverage seen;
    coverage_init(&seen, one->pool);
    if (!oracle_search_custom(one->pool, one->program, &told, &options, &seen, &stats))
        return "refused";
    if (coverage_missing(&one->all->classes, &seen.classes, bound))
        return "a trace within the bound is missing";
    if (coverage_excess(&one->all->classes, &seen.classes, bound))
        return "a trace beyond the bound was run";
    if (stats.complete && coverage_missing(&one->all->classes, &seen.classes, -1))
        return "complete is claimed and wrong";
    if (counted.restarts > 0) /* rare, with a known cost: earlier executions are run again */
        return stats.executions > seen.classes.count * (counted.restarts + 1) &&
                       !synth_has_sections(one->program)
                   ? "traces were run again"
                   : NULL;
    if (coverage_missing(&one->all->deadlocks, &seen.deadlocks, bound))
        return "a deadlock within the bound is missing";
    if (synth_has_sections(one->program)) /* if they block: see section.h */
        return rows_failure(one, &stats, bound);
    if (coverage_repeats(&seen.classes) > 1)
        return "a trace was run twice";
    if (count_wasted(&one->all->classes, &seen.classes) || !seen.in_order)
        return "more preemptions than needed";
    return rows_failure(one, &stats, bound);
}

static const char *selftest_traces_within_bounds(const struct selftest_case *one,
                                                 const struct strategy_ops *ops)
{
    const char *failure = terminal_failure(one, ops, DEEPEST);
    for (int bound = 0; bound <= 3 && !failure; bound++)
        failure = terminal_failure(one, ops, bound);
    return failure;
}

/* The variant for programs with many prefixes: just as exact, but it need not notice that
 * nothing lies beyond the last bound. */
const char *selftest_cbpor_sparing(const struct selftest_case *one)
{
    const char *failure = NULL;
    for (int bound = 0; bound <= 3 && !failure; bound++) {
        failure = terminal_failure(one, &cbpor_sparing, bound);
        if (failure && strcmp(failure, not_claimed) == 0)
            failure = NULL;
    }
    return failure;
}

const char *selftest_cbpor_thin(const struct selftest_case *one)
{
    return selftest_traces_within_bounds(one, &cbpor_thin);
}

const char *selftest_cbpor_private(const struct selftest_case *one)
{
    return selftest_traces_within_bounds(one, &cbpor_private);
}

const char *selftest_cbpor(const struct selftest_case *one)
{
    return selftest_traces_within_bounds(one, &strategy_cbpor);
}

/* Algorithm 1: the states within the bound, each of them newly visited exactly once. */
static const char *every_state_failure(const struct selftest_case *one, int bound)
{
    struct strategy_ops ops = with_counts(&strategy_cbpor_1);
    struct search_options options = oracle_options("", bound);
    struct search_stats stats;
    struct oracle_coverage seen;
    coverage_init(&seen, one->pool);
    oracle_search_custom(one->pool, one->program, &ops, &options, &seen, &stats);
    if (synth_has_sections(one->program)) /* states inside sections do not count */
        return coverage_missing(&one->all->classes, &seen.classes, bound)
                   ? "a trace within the bound is missing"
                   : NULL;
    if (coverage_missing(&one->all->states, &seen.states, bound))
        return "a state within the bound is missing";
    if (counted.visited != coverage_count(&one->all->states, bound))
        return "states are not visited exactly once";
    if (coverage_missing(&one->all->classes, &seen.classes, bound) ||
        coverage_repeats(&seen.classes) > 1)
        return "terminal states are not run exactly once";
    bool all = coverage_count(&one->all->states, bound) == one->all->states.count;
    if (stats.complete != all)
        return "complete is wrong";
    return NULL;
}

const char *selftest_cbpor_1(const struct selftest_case *one)
{
    const char *failure = every_state_failure(one, DEEPEST);
    for (int bound = 0; bound <= 2 && !failure; bound++)
        failure = every_state_failure(one, bound);
    return failure;
}
