/* Compares what a search counts besides executions and traces (explore/search/measure.h) with
 * the oracle and the executions themselves. */
#include "explore/search/strategies.h"
#include "selftest/selftest.h"

#define FEW 600 /* programs with more interleavings are left to the other checks */

static const char *growth_failure(const struct search_stats *stats)
{
    for (int i = 1; i < stats->npoints; i++)
        if (stats->point[i].executions <= stats->point[i - 1].executions ||
            stats->point[i].states < stats->point[i - 1].states)
            return "the points of the growth are out of order";
    if (stats->npoints == 0 && stats->executions > 0)
        return "the growth has no points";
    return NULL;
}

/* The states of each finished bound; states inside sections do not count. */
static const char *states_failure(const struct selftest_case *one,
                                  const struct search_stats *stats)
{
    const struct table *all = &one->all->states;
    if (synth_has_sections(one->program))
        return NULL;
    for (int i = 0; i < stats->nrows && stats->pruned == 0; i++) /* a probe may go further */
        if (stats->row[i].states != coverage_count(all, stats->row[i].bound))
            return "a row has the wrong number of states";
    return stats->states == all->count ? NULL : "not every state is counted once";
}

/* What a strategy runs again besides the prefix that it replays: nothing; beginnings that it
 * has run at a smaller bound or by chance; the same beginnings in another order. */
enum repeats { NEVER, WHOLE, REORDERED };

/* `every`: the strategy visits all states. */
static const char *measure_at(const struct selftest_case *one, const char *strategy, int bound,
                              bool every, enum repeats repeats)
{
    struct search_options options = oracle_options(strategy, bound);
    struct oracle_coverage seen;
    struct search_stats stats;
    options.count_states = true;
    if (strategy_has(strategy, STRATEGY_SAMPLES)) {
        if (one->all->assumed.count > 0) /* it may find only executions that do not count */
            return NULL;
        options.execs = 20;
    }
    coverage_init(&seen, one->pool);
    if (!oracle_search(one->pool, one->program, &options, &seen, &stats))
        return "refused";
    const char *failure = growth_failure(&stats);
    if (!failure && every)
        failure = states_failure(one, &stats);
    if (failure)
        return failure;
    bool sections = synth_has_sections(one->program); /* a data choice makes all of one new */
    if (!sections && stats.states != seen.states.count)
        return "the states are not those that were visited";
    uint32_t prefixes = seen.prefixes.count;
    if (stats.transitions > stats.steps ||
        (repeats == NEVER && !sections && stats.transitions != prefixes) ||
        (repeats == WHOLE && stats.transitions < prefixes))
        return "transitions are not the steps that were new";
    return NULL;
}

/* K, B and c of Table 1 of paper 003. */
static const char *sizes_failure(const struct selftest_case *one)
{
    struct search_options options = oracle_options("dfs", BOUND_NONE);
    struct oracle_coverage seen;
    struct search_stats stats;
    coverage_init(&seen, one->pool);
    oracle_search(one->pool, one->program, &options, &seen, &stats);
    if (stats.max_depth != one->all->most_steps)
        return "K is not the length of the longest execution";
    if (stats.max_blocking != one->all->most_blocking)
        return "B is not the most operations that may block";
    if (stats.max_preemptions != one->all->most_preemptions)
        return "c is not the most preemptions";
    return NULL;
}

const char *selftest_measures(const struct selftest_case *one)
{
    static const struct {
        const char *strategy;
        int bound;
        bool every;
        enum repeats repeats;
    } row[] = {
        {"dfs", BOUND_NONE, true, NEVER},      {"icb", BOUND_AUTO, true, NEVER},
        {"dpor", BOUND_NONE, false, NEVER},    {"sdpor", BOUND_NONE, false, NEVER},
        {"optimal", BOUND_NONE, false, WHOLE}, {"bpor", BOUND_AUTO, false, WHOLE},
        {"random", BOUND_NONE, false, WHOLE},  {"cbpor-1", BOUND_AUTO, true, REORDERED},
    };
    if (coverage_count(&one->all->interleavings, -1) > FEW)
        return NULL;
    const char *failure = sizes_failure(one);
    for (unsigned i = 0; !failure && i < sizeof row / sizeof row[0]; i++)
        failure = measure_at(one, row[i].strategy, row[i].bound, row[i].every, row[i].repeats);
    return failure;
}
