/* What a search counts, claims and refuses; and broken strategies, which the checks against
 * the oracle must catch: tests of the tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "explore/search/strategies.h"
#include "selftest/selftest.h"

#define POOL_SIZE ((size_t)1 << 30)

/* Two threads that take two locks in opposite order. */
static const struct synth_program crossed_locks = {
    .nthreads = 2,
    .bare = true,
    .nops = {4, 4},
    .op = {{{.kind = SYNTH_LOCK, .object = 0},
            {.kind = SYNTH_LOCK, .object = 1},
            {.kind = SYNTH_UNLOCK, .object = 1},
            {.kind = SYNTH_UNLOCK, .object = 0}},
           {{.kind = SYNTH_LOCK, .object = 1},
            {.kind = SYNTH_LOCK, .object = 0},
            {.kind = SYNTH_UNLOCK, .object = 0},
            {.kind = SYNTH_UNLOCK, .object = 1}}},
};

static const struct synth_program three_increments = {
    .nthreads = 3,
    .bare = true,
    .nops = {2, 2, 2},
    .op = {{{.kind = SYNTH_RMW, .value = 1}, {.kind = SYNTH_READ}},
           {{.kind = SYNTH_RMW, .value = 1}, {.kind = SYNTH_READ}},
           {{.kind = SYNTH_RMW, .value = 1}, {.kind = SYNTH_READ}}},
};

static struct search_stats search(struct pool *pool, const struct synth_program *program,
                                  const struct search_options *options)
{
    struct oracle_coverage seen;
    struct search_stats stats;
    coverage_init(&seen, pool);
    assert_true(oracle_search(pool, program, options, &seen, &stats));
    return stats;
}

static void a_failure_ends_the_search(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options("icb", BOUND_AUTO);
    options.keep_going = false;
    struct search_stats stats = search(pool, &crossed_locks, &options);
    assert_int_equal(stats.nfailures_seen, 1);
    assert_int_equal(stats.bound, 1); /* the deadlock needs one preemption */
    assert_int_equal(stats.bound_done, 0);
    assert_false(stats.complete);
    options.keep_going = true;
    stats = search(pool, &crossed_locks, &options);
    assert_true(stats.nfailures_seen > 1);
    assert_true(stats.complete);
    pool_destroy_private(pool);
}

static void the_limit_of_executions_is_not_completeness(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options("dfs", BOUND_NONE);
    options.execs = 7;
    struct search_stats stats = search(pool, &three_increments, &options);
    assert_int_equal(stats.executions, 7);
    assert_false(stats.complete);
    assert_true(stats.estimate > 7);
    options.execs = 90; /* exactly all: 6! / 2!^3 */
    stats = search(pool, &three_increments, &options);
    assert_int_equal(stats.executions, 90);
    assert_true(stats.complete);
    pool_destroy_private(pool);
}

static void strategies_refuse_what_they_do_not_take(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    char error[80] = "";
    struct search_options options = oracle_options("no such thing", BOUND_NONE);
    assert_null(search_create(pool, &options, error, sizeof error));
    assert_string_equal(error, "unknown strategy");
    options = oracle_options("random", 2);
    assert_null(search_create(pool, &options, error, sizeof error));
    assert_string_equal(error, "a sampling strategy takes no --bound");
    options = oracle_options("delay", 2);
    assert_null(search_create(pool, &options, error, 6));
    assert_string_equal(error, "strat");
    options = oracle_options("icb", 2);
    options.csb = -1;
    assert_null(search_create(pool, &options, error, sizeof error));
    for (int i = 0; strategy_name(i); i++) {
        options = oracle_options(strategy_name(i), BOUND_NONE);
        struct search *made = search_create(pool, &options, error, sizeof error);
        assert_non_null(made);
        search_destroy(made);
    }
    pool_destroy_private(pool);
}

/* One thread that does nothing, driven by hand: outcomes that synthetic programs lack. */
static bool run_once(struct search *search, enum outcome outcome)
{
    struct op pending[1] = {{.kind = OP_YIELD, .flags = OP_YIELDS}};
    struct position pos = {.last = -1, .nthreads = 1, .pending = pending};
    threadset_add(&pos.enabled, 0);
    search_begin(search);
    assert_int_equal(search_pick(search, &pos), 0);
    int chosen = search_choose(search, 2);
    assert_in_range(chosen, 0, 1);
    pos.depth = 1;
    pos.last = 0;
    pos.done = pending;
    threadset_clear(&pos.enabled);
    return search_end(search, &pos, outcome);
}

static void outcomes_are_counted_apart(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options("dfs", BOUND_NONE);
    struct search *made = search_create(pool, &options, NULL, 0);
    assert_true(run_once(made, OUTCOME_ASSUME_FAILED));
    assert_false(run_once(made, OUTCOME_FINISHED));
    assert_int_equal(search_stats(made)->assumed, 1);
    assert_int_equal(search_stats(made)->executions, 1);
    assert_true(search_stats(made)->complete);

    made = search_create(pool, &options, NULL, 0);
    assert_true(run_once(made, OUTCOME_CUT));
    assert_false(run_once(made, OUTCOME_FINISHED));
    assert_true(search_stats(made)->depth_cut);
    assert_int_equal(search_stats(made)->executions, 2);
    assert_int_equal(search_stats(made)->distinct, 2); /* the data choice tells them apart */
    assert_false(search_stats(made)->complete);

    options = oracle_options("icb", 0);
    made = search_create(pool, &options, NULL, 0);
    assert_true(run_once(made, OUTCOME_CUT));
    assert_false(run_once(made, OUTCOME_FINISHED));
    assert_int_equal(search_stats(made)->bound_done, -1); /* a cut bound is not done */
    search_destroy(made);
    pool_destroy_private(pool);
}

/* The program changes after `before` executions: is that noticed? */
static void notices_change(const char *strategy, const struct synth_program *first,
                           const struct synth_program *second, int before)
{
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct oracle_coverage seen;
    struct search_options options = oracle_options(strategy, BOUND_NONE);
    options.keep_going = false;
    coverage_init(&seen, pool);
    struct search *made = search_create(pool, &options, NULL, 0);
    bool more = true;
    for (int i = 0; i < before && more; i++)
        more = oracle_execute(made, first, &seen, NULL, NULL);
    assert_true(more);
    assert_false(search_stats(made)->diverged);
    while (oracle_execute(made, second, &seen, NULL, NULL))
        ;
    assert_true(search_stats(made)->diverged);
    assert_false(search_stats(made)->complete);
    search_destroy(made);
    pool_destroy_private(pool);
}

static void nondeterminism_is_noticed(void **state)
{
    (void)state;
    static const char *const strategies[] = {"dfs", "icb", "delay"};
    struct synth_program other_object = three_increments;
    struct synth_program other_kind = three_increments;
    struct synth_program blocking = three_increments;
    struct synth_program shorter = three_increments;
    other_object.op[0][0].object = 1;
    other_kind.op[0][1].kind = SYNTH_CAS;
    blocking.op[0][1] = (struct synth_op){.kind = SYNTH_AWAIT, .value = 3};
    shorter.nops[0] = 1;
    for (int i = 0; i < 3; i++) {
        /* After two executions the path to follow begins with all of thread 0. */
        notices_change(strategies[i], &three_increments, &other_object, 2);
        notices_change(strategies[i], &three_increments, &other_kind, 2);
        notices_change(strategies[i], &three_increments, &blocking, 2);
        notices_change(strategies[i], &three_increments, &shorter, 2);
    }
    notices_change("dfs", &three_increments, &other_object, 80);
    notices_change("icb", &three_increments, &other_object, 30); /* in a queued prefix */
}

/* Two threads of two writes each, by hand. With `early` the world ends after the first step. */
static bool run_writers(struct search *search, bool early)
{
    struct op pending[2], done;
    struct position pos = {.last = -1, .nthreads = 2, .pending = pending};
    int left[2] = {2, 2};
    search_begin(search);
    for (;;) {
        threadset_clear(&pos.enabled);
        for (int tid = 0; tid < 2; tid++) {
            pending[tid] = (struct op){.kind = OP_NONE};
            if (left[tid] == 0)
                continue;
            pending[tid] =
                (struct op){.kind = OP_STORE, .flags = OP_WRITES, .nobjects = 1, .object = {7}};
            threadset_add(&pos.enabled, tid);
        }
        if (threadset_empty(&pos.enabled) || (early && pos.depth == 1))
            return search_end(search, &pos, OUTCOME_FINISHED);
        int tid = search_pick(search, &pos);
        assert_true(tid >= 0 && threadset_has(&pos.enabled, tid));
        done = pending[tid];
        left[tid]--;
        pos.done = &done;
        pos.last = tid;
        pos.depth++;
    }
}

/* The second execution should follow two steps of the first one and ends after one. */
static void a_prefix_that_is_too_short_is_reported(void **state)
{
    (void)state;
    static const char *const strategies[] = {"dfs", "delay", "dpor", "optimal"};
    for (int i = 0; i < 4; i++) {
        struct pool *pool = pool_create_private((size_t)1 << 30);
        struct search_options options = oracle_options(strategies[i], BOUND_NONE);
        options.bound = strcmp(strategies[i], "delay") == 0 ? BOUND_AUTO : BOUND_NONE;
        options.delay = strcmp(strategies[i], "delay") == 0 ? 9 : -1;
        options.first_bound = options.delay > 0 ? 9 : 0;
        struct search *search = search_create(pool, &options, NULL, 0);
        assert_non_null(search);
        assert_true(run_writers(search, false));
        assert_false(claim_has(search_claim(search), REASON_PREFIX_LOST));
        run_writers(search, true);
        assert_true(claim_has(search_claim(search), REASON_PREFIX_LOST));
        search_destroy(search);
        pool_destroy_private(pool);
    }
}

/* Three threads of one step each: the first pick skips 0, 1 or 2 of them, the second 0 or 1. */
static void delays_are_counted(void **state)
{
    (void)state;
    static const uint32_t within[] = {1, 3, 5, 6};
    struct synth_program program = {.nthreads = 3, .bare = true, .nops = {1, 1, 1}};
    for (int tid = 0; tid < 3; tid++)
        program.op[tid][0] = (struct synth_op){.kind = SYNTH_RMW, .value = 1};
    for (int delay = 0; delay < 4; delay++) {
        struct pool *pool = pool_create_private((size_t)1 << 30);
        struct search_options options = oracle_options("delay", BOUND_AUTO);
        struct search_stats stats;
        struct oracle_coverage seen;
        options.delay = delay;
        coverage_init(&seen, pool);
        assert_true(oracle_search(pool, &program, &options, &seen, &stats));
        assert_int_equal(seen.interleavings.count, within[delay]);
        assert_int_equal(stats.complete, delay == 3);
        pool_destroy_private(pool);
    }
}

/* --- mutants --- */

static struct strategy_context *mutant_context;

static struct strategy *mutant_create(struct strategy_context *context, char *error,
                                      unsigned long error_size)
{
    mutant_context = context;
    return strategy_dfs.create(context, error, error_size);
}

/* Skips an execution now and then. */
static enum verdict skipping_end(struct strategy *strategy, const struct position *pos,
                                 enum outcome outcome)
{
    enum verdict verdict = strategy_dfs.end(strategy, pos, outcome);
    if (verdict == STRATEGY_MORE && mutant_context->stats.executions % 5 == 0)
        verdict = strategy_dfs.end(strategy, pos, outcome);
    return verdict;
}

/* Does not own up to what the bound left out. */
static enum verdict boasting_end(struct strategy *strategy, const struct position *pos,
                                 enum outcome outcome)
{
    mutant_context->stats.pruned_by_bound = false;
    return strategy_dfs.end(strategy, pos, outcome);
}

/* Forgets to count the preemptions of switches to thread 0. */
static int generous_pick(struct strategy *strategy, const struct position *pos)
{
    int tid = strategy_dfs.pick(strategy, pos);
    if (tid == 0 && position_preempts(pos, tid))
        mutant_context->preemptions--;
    return tid;
}

static const struct strategy_ops *mutant;
static int mutant_bound;

static const char *mutant_failure(const struct selftest_case *one)
{
    struct oracle_coverage seen;
    struct search_stats stats;
    struct search_options options = oracle_options("dfs", mutant_bound);
    coverage_init(&seen, one->pool);
    oracle_search_custom(one->pool, one->program, mutant, &options, &seen, &stats);
    if (coverage_missing(&one->all->interleavings, &seen.interleavings, mutant_bound))
        return "an interleaving is missing";
    if (coverage_excess(&one->all->interleavings, &seen.interleavings, mutant_bound))
        return "an interleaving is beyond the bound";
    if (stats.complete && coverage_missing(&one->all->classes, &seen.classes, -1))
        return "falsely complete";
    return NULL;
}

static void caught(struct strategy_ops ops, int bound)
{
    struct selftest_check check = {"mutant", mutant_failure};
    struct selftest_options options = {.seed = 1, .programs = 100, .limit = 300};
    uint32_t tried;
    mutant = &ops;
    mutant_bound = bound;
    assert_false(selftest_run(&check, 1, &options, &tried));
    ops = strategy_dfs;
    assert_true(selftest_run(&check, 1, &options, &tried));
}

static void broken_strategies_are_caught(void **state)
{
    (void)state;
    struct strategy_ops skipping = strategy_dfs;
    struct strategy_ops boasting = strategy_dfs;
    struct strategy_ops generous = strategy_dfs;
    skipping.create = boasting.create = generous.create = mutant_create;
    skipping.end = skipping_end;
    boasting.end = boasting_end;
    generous.pick = generous_pick;
    caught(skipping, BOUND_NONE);
    caught(boasting, 0);
    caught(generous, 1);
}

/* The smallest program on which the skipping mutant fails is found by shrinking. */
static void failures_shrink(void **state)
{
    (void)state;
    struct strategy_ops skipping = strategy_dfs;
    skipping.create = mutant_create;
    skipping.end = skipping_end;
    mutant = &skipping;
    mutant_bound = BOUND_NONE;
    struct selftest_check check = {"mutant", mutant_failure};
    char text[4096] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    struct selftest_options options = {.seed = 1, .programs = 100, .limit = 300, .out = out};
    assert_false(selftest_run(&check, 1, &options, NULL));
    fclose(out);
    assert_non_null(strstr(text, "mutant: an interleaving is missing\n"));
    int operations = 0;
    for (const char *line = strstr(text, "\n    "); line; line = strstr(line + 1, "\n    "))
        operations++;
    assert_in_range(operations, 2,
                    6); /* six interleavings at least, so four operations or so */
}

/* One thread starts two others, which add to the same variable as it does, and waits for them. */
static const struct synth_program started_increments = {
    .nthreads = 3,
    .nops = {5, 1, 1},
    .op = {{{.kind = SYNTH_SPAWN, .object = 1},
            {.kind = SYNTH_SPAWN, .object = 2},
            {.kind = SYNTH_RMW, .value = 1},
            {.kind = SYNTH_JOIN, .object = 1},
            {.kind = SYNTH_JOIN, .object = 2}},
           {{.kind = SYNTH_RMW, .value = 1}},
           {{.kind = SYNTH_RMW, .value = 1}}},
};

static struct search *enter_leaf(struct pool *pool, const struct leaf *leaf)
{
    struct search_options options = oracle_options("dfs", BOUND_NONE);
    struct search *search = search_create(pool, &options, NULL, 0);
    assert_true(search && search_enter(search, leaf));
    return search;
}

/* A thread starts, and is waited for, in every trace: a leaf without such an event is empty, and
 * that shows only after everything else was run. */
static void what_is_given_away_is_not_empty(void **state)
{
    (void)state;
    static struct leaf gift, kept;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct oracle_coverage seen;
    coverage_init(&seen, pool);
    memset(&kept, 0, sizeof kept);
    struct search *search = enter_leaf(pool, &kept);
    assert_true(oracle_execute(search, &started_increments, &seen, NULL, NULL));
    uint32_t parts = 0;
    for (; search_split(search, &gift, &kept, 0); parts++) {
        struct search *part = enter_leaf(pool, &gift);
        while (oracle_execute(part, &started_increments, &seen, NULL, NULL)) {
        }
        assert_true(search_stats(part)->executions > 0);
    }
    assert_true(parts >= 2);
    pool_destroy_private(pool);
}

static void no_more_is_given_away_than_may_be_repeated(void **state)
{
    (void)state;
    static struct leaf gift, kept;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct oracle_coverage seen;
    coverage_init(&seen, pool);
    memset(&kept, 0, sizeof kept);
    struct search *search = enter_leaf(pool, &kept);
    while (oracle_execute(search, &started_increments, &seen, NULL, NULL)) {
    }
    uint64_t all = search_stats(search)->executions, given = 0;
    assert_false(search_split(search, &gift, &kept, 0));
    assert_true(search_split(search, &gift, &kept, all));
    given = all - search_stats(search)->executions;
    assert_true(given > 0);
    pool_destroy_private(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_away_is_not_empty),
        cmocka_unit_test(no_more_is_given_away_than_may_be_repeated),
        cmocka_unit_test(a_failure_ends_the_search),
        cmocka_unit_test(the_limit_of_executions_is_not_completeness),
        cmocka_unit_test(strategies_refuse_what_they_do_not_take),
        cmocka_unit_test(outcomes_are_counted_apart),
        cmocka_unit_test(a_prefix_that_is_too_short_is_reported),
        cmocka_unit_test(delays_are_counted),
        cmocka_unit_test(nondeterminism_is_noticed),
        cmocka_unit_test(broken_strategies_are_caught),
        cmocka_unit_test(failures_shrink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
