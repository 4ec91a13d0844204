/* What strategies that enumerate or sample interleavings must cover. */
#include "selftest/selftest.h"

#define FEW_INTERLEAVINGS 8 /* programs in which a random walk must find everything */

struct check_result {
    struct oracle_coverage seen;
    struct search_stats stats;
};

static bool run_search(const struct selftest_case *one, const struct search_options *options,
                       struct check_result *result)
{
    coverage_init(&result->seen, one->pool);
    result->seen.ends_only = !options->cache_states;
    return oracle_search(one->pool, one->program, options, &result->seen, &result->stats);
}

/* Every interleaving within the bound exactly once, and no other. */
static const char *exactly_once(const struct selftest_case *one,
                                const struct check_result *result, int bound)
{
    const struct table *all = &one->all->interleavings;
    const struct table *seen = &result->seen.interleavings;
    if (coverage_missing(all, seen, bound))
        return "an interleaving within the bound is missing";
    if (coverage_excess(all, seen, bound))
        return "an interleaving beyond the bound was run";
    if (coverage_repeats(seen) > 1)
        return "an interleaving was run twice";
    if (result->stats.executions != seen->count)
        return "executions are miscounted";
    return NULL;
}

static const char *dfs_failure(const struct selftest_case *one)
{
    struct search_options options = oracle_options("dfs", BOUND_NONE);
    struct check_result result;
    if (!run_search(one, &options, &result))
        return "refused";
    const char *failure = exactly_once(one, &result, -1);
    if (failure)
        return failure;
    if (!result.stats.complete)
        return "not complete";
    if (result.stats.distinct != one->all->classes.count || !result.stats.distinct_exact)
        return "distinct is not the number of traces";
    double error = result.stats.estimate - (double)result.stats.executions;
    if (error > 1e-6 * result.stats.estimate || error < -1e-6 * result.stats.estimate)
        return "the estimate does not end at the true number";
    return NULL;
}

static const char *dfs_bounded_failure(const struct selftest_case *one)
{
    for (int bound = 0; bound <= (int)one->all->most_preemptions && bound <= 3; bound++) {
        struct search_options options = oracle_options("dfs", bound);
        struct check_result result;
        run_search(one, &options, &result);
        if (coverage_missing(&one->all->interleavings, &result.seen.interleavings, bound))
            return "an interleaving within the bound is missing";
        if (coverage_excess(&one->all->interleavings, &result.seen.interleavings, bound))
            return "an interleaving beyond the bound was run";
        uint64_t expected = 0;
        for (int i = 0; i <= bound; i++)
            expected += coverage_count(&one->all->interleavings, i);
        if (result.stats.executions != expected)
            return "executions are not those of bounds 0 to N";
        if (result.stats.complete != (bound >= (int)one->all->most_preemptions))
            return "complete is wrong";
    }
    return NULL;
}

/* Compares the rows of the bound table with the oracle, for strategies that run no interleaving
 * twice. */
static const char *rows_failure(const struct selftest_case *one,
                                const struct check_result *result)
{
    const struct search_stats *stats = &result->stats;
    for (int i = 0; i < stats->nrows; i++) {
        const struct bound_row *row = &stats->row[i];
        if (row->executions != coverage_count(&one->all->interleavings, row->bound))
            return "a row has the wrong number of executions";
        if (row->distinct != coverage_count(&one->all->classes, row->bound))
            return "a row has the wrong number of traces";
    }
    return stats->bound_done < 0 ? "no bound is done" : NULL;
}

static const char *icb_at(const struct selftest_case *one, int bound, int csb)
{
    struct search_options options = oracle_options("icb", bound);
    options.csb = csb;
    struct check_result result;
    if (!run_search(one, &options, &result))
        return "refused";
    const char *failure = exactly_once(one, &result, bound);
    if (!failure)
        failure = rows_failure(one, &result);
    if (failure)
        return failure;
    if (csb == 0 && !result.seen.in_order)
        return "not in order of preemptions";
    bool all = bound < 0 || bound >= (int)one->all->most_preemptions;
    if (result.stats.complete != all || result.stats.pruned_by_bound == all)
        return "complete is wrong";
    if (bound >= 0 && !all && result.stats.bound_done != bound)
        return "the bound is not done";
    return NULL;
}

static const char *icb_failure(const struct selftest_case *one)
{
    const char *failure = icb_at(one, BOUND_AUTO, 0);
    for (int bound = 0; !failure && bound <= (int)one->all->most_preemptions && bound < 4;
         bound++)
        failure = icb_at(one, bound, 0);
    for (int csb = 1; !failure && csb <= 2; csb++)
        failure = icb_at(one, BOUND_AUTO, csb);
    return failure ? failure : icb_at(one, 2, 1);
}

static const char *icb_cached_at(const struct selftest_case *one, int csb)
{
    for (int bound = 0; bound <= 2; bound++) {
        struct search_options options = oracle_options("icb", bound);
        options.cache_states = true;
        options.csb = csb;
        struct check_result result;
        run_search(one, &options, &result);
        if (coverage_missing(&one->all->concrete, &result.seen.concrete, bound))
            return "a state within the bound is missing";
        if (result.stats.complete &&
            coverage_missing(&one->all->concrete, &result.seen.concrete, -1))
            return "falsely complete";
    }
    return NULL;
}

static const char *icb_cached_failure(const struct selftest_case *one)
{
    const char *failure = NULL;
    for (int csb = 0; csb <= 2 && !failure; csb++)
        failure = icb_cached_at(one, csb);
    return failure;
}

static const char *delay_failure(const struct selftest_case *one)
{
    struct search_options options = oracle_options("delay", BOUND_AUTO);
    struct check_result result;
    if (coverage_count(&one->all->interleavings, -1) > 500)
        return NULL; /* each delay bound runs the executions of the earlier ones again */
    run_search(one, &options, &result);
    if (coverage_missing(&one->all->interleavings, &result.seen.interleavings, -1))
        return "an interleaving is missing at the last delay bound";
    if (coverage_excess(&one->all->interleavings, &result.seen.interleavings, -1))
        return "an impossible interleaving was run";
    if (!result.stats.complete)
        return "not complete";
    options.delay = 0;
    run_search(one, &options, &result);
    if (coverage_repeats(&result.seen.interleavings) > 1)
        return "an interleaving was run twice with no delay";
    if (result.stats.complete != !result.stats.pruned_by_bound)
        return "complete is wrong";
    return NULL;
}

/* Each bound runs the executions with at most that many steps, including those of the earlier
 * bounds.
 */
static const char *idb_failure(const struct selftest_case *one)
{
    struct search_options options = oracle_options("idb", BOUND_AUTO);
    struct check_result result;
    if (coverage_count(&one->all->interleavings, -1) > 500)
        return NULL;
    run_search(one, &options, &result);
    if (coverage_missing(&one->all->interleavings, &result.seen.interleavings, -1))
        return "an interleaving is missing at the last bound";
    if (coverage_excess(&one->all->interleavings, &result.seen.interleavings, -1))
        return "an impossible interleaving was run";
    if (!result.stats.complete)
        return "not complete";
    if (synth_has_sections(one->program)) /* a section is one step */
        return NULL;
    uint64_t expected = 0;
    for (int i = 0; i < result.stats.nrows; i++) {
        const struct bound_row *row = &result.stats.row[i];
        for (int steps = 0; steps <= row->bound && steps <= TRACE_EVENTS; steps++)
            expected += one->all->by_steps[steps];
        if (row->executions != expected)
            return "a row has the wrong number of executions";
    }
    options.step_bound = 5;
    run_search(one, &options, &result);
    if (result.stats.complete != (one->all->most_steps <= 5) || result.stats.bound_done != 5)
        return "complete is wrong at 5 steps";
    return NULL;
}

static const char *sampling_failure(const struct selftest_case *one, const char *strategy,
                                    bool meets_all)
{
    struct search_options options = oracle_options(strategy, BOUND_NONE);
    uint32_t interleavings = one->all->interleavings.count;
    if (one->all->assumed.count > 0) /* it may find only executions that do not count */
        return NULL;
    meets_all &= interleavings <= FEW_INTERLEAVINGS;
    options.execs = meets_all ? 1000 : 20;
    struct check_result result;
    run_search(one, &options, &result);
    if (coverage_excess(&one->all->interleavings, &result.seen.interleavings, -1))
        return "an impossible interleaving was run";
    if (result.stats.complete || result.stats.bound_done >= 0)
        return "a sample claims coverage";
    if (meets_all && coverage_missing(&one->all->interleavings, &result.seen.interleavings, -1))
        return "a random walk does not find everything";
    if (interleavings > 1 && result.stats.executions != options.execs)
        return "it does not stop at --execs";
    return NULL;
}

static const char *random_failure(const struct selftest_case *one)
{
    return sampling_failure(one, "random", true);
}

static const char *pct_failure(const struct selftest_case *one)
{
    return sampling_failure(one, "pct", false);
}

static bool same_keys(const struct table *a, const struct table *b)
{
    return a->count == b->count && coverage_missing(a, b, -1) == 0;
}

/* Records executions of a random walk; follows each schedule, intact and damaged. */
static const char *replay_failure(const struct selftest_case *one)
{
    struct search_options options = oracle_options("random", BOUND_NONE);
    struct search *walk = search_create(one->pool, &options, NULL, 0);
    for (int i = 0; i < 4; i++) {
        struct oracle_coverage recorded, replayed;
        uint32_t schedule[2 * TRACE_EVENTS];
        uint32_t n = 0;
        coverage_init(&recorded, one->pool);
        coverage_init(&replayed, one->pool);
        oracle_execute(walk, one->program, &recorded, schedule, &n);
        struct search *replay = search_create_replay(one->pool, schedule, n, &options);
        if (oracle_execute(replay, one->program, &replayed, NULL, NULL))
            return "a replay wants to go on";
        if (!same_keys(&recorded.interleavings, &replayed.interleavings))
            return "a replay ran another interleaving";
        if (search_stats(replay)->complete || search_stats(replay)->diverged)
            return "a replay claims coverage or divergence";
        if (n == 0)
            continue;
        schedule[i % n] = SYNTH_THREADS; /* no such thread, and no data choice */
        replay = search_create_replay(one->pool, schedule, n, &options);
        oracle_execute(replay, one->program, &replayed, NULL, NULL);
        if (!search_stats(replay)->diverged)
            return "a damaged schedule is not noticed";
    }
    return NULL;
}

/* One to a line, so that others can be added. */
/* clang-format off */
const struct selftest_check selftest_checks[] = {
    {"dfs", dfs_failure},
    {"dfs, bounded", dfs_bounded_failure},
    {"icb", icb_failure},
    {"icb, states cached", icb_cached_failure},
    {"delay", delay_failure},
    {"idb", idb_failure},
    {"random", random_failure},
    {"pct", pct_failure},
    {"replay", replay_failure},
    {"measures", selftest_measures},
    {"dpor", selftest_dpor},
    {"dpor-plain", selftest_dpor_plain},
    {"bpor", selftest_bpor},
    {"bpor-plain", selftest_bpor_plain},
    {"postconditions", selftest_postconditions},
    {"postconditions, fair", selftest_fair_postconditions},
    {"dpor and bpor, without", selftest_without},
    {"bpor, fair", selftest_fair},
    {"dfs and icb, fair", selftest_fair_unreduced},
    {"cbpor", selftest_cbpor},
    {"cbpor-1", selftest_cbpor_1},
    {"cbpor, sparing", selftest_cbpor_sparing},
    {"cbpor, thinned out", selftest_cbpor_thin},
    {"cbpor, private", selftest_cbpor_private},
    {"dfs, in leaves", selftest_dfs_leaves},
    {"icb, in leaves", selftest_icb_leaves},
    {"delay, in leaves", selftest_delay_leaves},
    {"dpor, in leaves", selftest_dpor_leaves},
    {"optimal, in leaves", selftest_optimal_leaves},
    {"cbpor, in leaves", selftest_cbpor_leaves},
    {"cbpor, private, in leaves", selftest_cbpor_private_leaves},
    {"optimal", selftest_optimal},
    {"optimal, waiting", selftest_optimal_waiting},
    {"sdpor", selftest_sdpor},
};
/* clang-format on */
const int selftest_nchecks = sizeof selftest_checks / sizeof selftest_checks[0];
