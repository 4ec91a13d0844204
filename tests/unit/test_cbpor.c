/* cbpor and cbpor-1 against the oracle (DESIGN 5; paper 000), and broken variants that the same
 * checks must catch.
 *
 * CBPOR_PROGRAMS=n looks at n random programs instead of the number that `make test` has time
 * for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/cbpor.h"
#include "selftest/selftest.h"

#define DEEPEST 40 /* more preemptions than any synthetic program has */

/* The strategy under test says what it did when it is destroyed. */
static struct cbpor_counts counted;

static void count(struct strategy *strategy)
{
    counted = cbpor_counts(strategy);
}

static struct strategy_ops counting(const struct strategy_ops *ops)
{
    struct strategy_ops copy = *ops;
    copy.destroy = count;
    return copy;
}

/* Traces that were run with more preemptions than the oracle needs for them. */
static uint32_t wasteful(const struct table *all, const struct table *seen)
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
        if (stats->row[i].bound != i || stats->row[i].executions != traces ||
            stats->row[i].distinct != traces)
            return "a row does not count the traces within its bound";
    }
    bool all = coverage_count(&one->all->classes, bound) == one->all->classes.count;
    if (stats->complete && !all)
        return "complete is claimed and wrong";
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
    struct strategy_ops told = counting(ops);
    struct search_options options = oracle_options("", bound);
    struct search_stats stats;
    struct coverage seen;
    coverage_init(&seen, one->pool);
    if (!oracle_search_custom(one->pool, one->program, &told, &options, &seen, &stats))
        return "refused";
    if (coverage_missing(&one->all->classes, &seen.classes, bound))
        return "a trace within the bound is missing";
    if (coverage_excess(&one->all->classes, &seen.classes, bound))
        return "a trace beyond the bound was run";
    if (counted.restarts > 0) /* rare, and the price is known: what came before is run again */
        return stats.executions > seen.classes.count * 2 ? "traces were run again" : NULL;
    if (coverage_repeats(&seen.classes) > 1)
        return "a trace was run twice";
    if (coverage_missing(&one->all->deadlocks, &seen.deadlocks, bound))
        return "a deadlock within the bound is missing";
    if (wasteful(&one->all->classes, &seen.classes) || !seen.in_order)
        return "more preemptions than needed";
    return rows_failure(one, &stats, bound);
}

static const char *at_all_bounds(const struct selftest_case *one,
                                 const struct strategy_ops *ops)
{
    const char *failure = terminal_failure(one, ops, DEEPEST);
    for (int bound = 0; bound <= 3 && !failure; bound++)
        failure = terminal_failure(one, ops, bound);
    return failure;
}

/* The variant for programs with many prefixes: as exact, but it need not see that nothing lies
 * beyond the last bound. */
static const char *sparing_failure(const struct selftest_case *one)
{
    const char *failure = NULL;
    for (int bound = 0; bound <= 3 && !failure; bound++) {
        failure = terminal_failure(one, &cbpor_sparing, bound);
        if (failure && strcmp(failure, not_claimed) == 0)
            failure = NULL;
    }
    return failure;
}

static const char *cbpor_failure(const struct selftest_case *one)
{
    return at_all_bounds(one, &strategy_cbpor);
}

/* Algorithm 1: the states within the bound, each of them newly visited exactly once. */
static const char *every_state_failure(const struct selftest_case *one, int bound)
{
    struct strategy_ops ops = counting(&strategy_cbpor_1);
    struct search_options options = oracle_options("", bound);
    struct search_stats stats;
    struct coverage seen;
    coverage_init(&seen, one->pool);
    oracle_search_custom(one->pool, one->program, &ops, &options, &seen, &stats);
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

static const char *cbpor_1_failure(const struct selftest_case *one)
{
    const char *failure = every_state_failure(one, DEEPEST);
    for (int bound = 0; bound <= 2 && !failure; bound++)
        failure = every_state_failure(one, bound);
    return failure;
}

static const struct selftest_check checks[] = {
    {"cbpor", cbpor_failure},
    {"cbpor-1", cbpor_1_failure},
    {"cbpor, sparing", sparing_failure},
};

static void agree(uint64_t seed, uint32_t programs, uint32_t limit)
{
    struct selftest_options options = {
        .seed = seed, .programs = programs, .limit = limit, .out = stderr};
    uint32_t tried = 0;
    assert_true(selftest_run(checks, sizeof checks / sizeof checks[0], &options, &tried));
    assert_int_equal(tried, programs);
}

static void cbpor_agrees_with_the_oracle_on_many_programs(void **state)
{
    (void)state;
    const char *wanted = getenv("CBPOR_PROGRAMS");
    agree(1, wanted ? (uint32_t)atoi(wanted) : 2000, 400);
}

static void cbpor_agrees_with_the_oracle_on_larger_programs(void **state)
{
    (void)state;
    agree(5000000, 100, 10000);
}

/* ---- broken variants: tests of the tests ---- */

static const struct strategy_ops *mutant;

static const char *mutant_failure(const struct selftest_case *one)
{
    return at_all_bounds(one, mutant);
}

static void broken_variants_are_caught(void **state)
{
    (void)state;
    const struct selftest_check check = {"a broken cbpor", mutant_failure};
    for (int i = 0; i < CBPOR_MUTANTS; i++) {
        struct selftest_options options = {.seed = 1, .programs = 1000, .limit = 400};
        uint32_t tried = 0;
        mutant = &cbpor_mutants[i];
        assert_false(selftest_run(&check, 1, &options, &tried));
        printf("%s: caught by program %u\n", mutant->name, tried);
    }
}

/* ---- programs of the paper, and known numbers ---- */

struct counts {
    uint64_t states;
    uint64_t traces;
    bool complete;
};

static struct counts explore(const struct synth_program *program,
                             const struct strategy_ops *ops, int bound)
{
    struct pool *pool = pool_create_private((size_t)1 << 30);
    struct strategy_ops told = counting(ops);
    struct search_options options = oracle_options("", bound);
    struct search_stats stats;
    struct coverage seen;
    coverage_init(&seen, pool);
    assert_true(oracle_search_custom(pool, program, &told, &options, &seen, &stats));
    assert_int_equal(stats.executions, stats.distinct);
    pool_destroy_private(pool);
    return (struct counts){counted.visited, stats.executions, stats.complete};
}

static void set(struct synth_program *program, int tid, int kind, int object, int value)
{
    program->op[tid][program->nops[tid]++] = (struct synth_op){
        .kind = (uint8_t)kind, .object = (uint8_t)object, .value = (uint8_t)value};
}

/* Paper 000, Fig. 1: T1 is x := 1; y := 1, T2 is y := 2. With bound 0 sleep sets lose the
 * trace in which y ends as 1 after T2. */
static void bound_zero_has_both_orders_of_figure_1(void **state)
{
    (void)state;
    struct synth_program program = {.nthreads = 2, .bare = true};
    set(&program, 0, SYNTH_WRITE, 0, 1);
    set(&program, 0, SYNTH_WRITE, 1, 1);
    set(&program, 1, SYNTH_WRITE, 1, 2);
    struct counts counts = explore(&program, &strategy_cbpor, 0);
    assert_int_equal(counts.traces, 2);
    assert_true(counts.complete);
}

/* Paper 000, Fig. 2: context bounds are not monotonic. Two threads of two independent writes: c
 * = {a1, b1} needs a preemption, d = {a1, a2, b1} does not, and is reached with bound 0 though
 * c is not: 8 of the 9 states. All are one trace, so that bound 0 is complete for Algorithm 2.
 */
static void context_bounds_are_not_monotonic(void **state)
{
    (void)state;
    struct synth_program program = {.nthreads = 2, .bare = true};
    set(&program, 0, SYNTH_WRITE, 0, 1);
    set(&program, 0, SYNTH_WRITE, 0, 2);
    set(&program, 1, SYNTH_WRITE, 1, 1);
    set(&program, 1, SYNTH_WRITE, 1, 2);
    struct counts within_0 = explore(&program, &strategy_cbpor_1, 0);
    assert_int_equal(within_0.states, 8);
    assert_int_equal(within_0.traces, 1);
    assert_false(within_0.complete);
    struct counts within_1 = explore(&program, &strategy_cbpor_1, 1);
    assert_int_equal(within_1.states, 9);
    assert_true(within_1.complete);
    struct counts terminal = explore(&program, &strategy_cbpor, 0);
    assert_int_equal(terminal.traces, 1);
    assert_true(terminal.complete);
}

static void expect_traces(const struct synth_program *program, const uint64_t *traces, int n)
{
    for (int bound = 0; bound < n; bound++) {
        struct counts counts = explore(program, &strategy_cbpor, bound);
        assert_int_equal(counts.traces, traces[bound]);
        assert_int_equal(counts.complete, bound == n - 1);
    }
}

static void known_numbers_of_traces(void **state)
{
    (void)state;
    struct synth_program buffering = {.nthreads = 2, .bare = true};
    for (int tid = 0; tid < 2; tid++) {
        set(&buffering, tid, SYNTH_WRITE, tid, 1);
        set(&buffering, tid, SYNTH_READ, 1 - tid, 0);
    }
    expect_traces(&buffering, (const uint64_t[]){2, 3}, 2);
    struct synth_program adders = {.nthreads = 4, .bare = true};
    struct synth_program variables = {.nthreads = 3, .bare = true};
    struct synth_program swappers = {.nthreads = 3, .bare = true};
    for (int tid = 0; tid < 4; tid++)
        set(&adders, tid, SYNTH_RMW, 0, 1);
    for (int tid = 0; tid < 3; tid++)
        for (int variable = 0; variable < 3; variable++)
            set(&variables, tid, SYNTH_RMW, variable, 1);
    for (int tid = 0; tid < 3; tid++) {
        set(&swappers, tid, SYNTH_CAS, 0, 0);
        set(&swappers, tid, SYNTH_WRITE, 0, tid + 1);
    }
    expect_traces(&adders, (const uint64_t[]){24}, 1);
    expect_traces(&variables, (const uint64_t[]){6, 42, 120, 192, 216}, 5);
    expect_traces(&swappers, (const uint64_t[]){6, 24, 54, 66}, 4);
}

static void four_threads_of_three_variables(void **state)
{
    (void)state;
    struct synth_program variables = {.nthreads = 4, .bare = true};
    for (int tid = 0; tid < 4; tid++)
        for (int variable = 0; variable < 3; variable++)
            set(&variables, tid, SYNTH_RMW, variable, 1);
    struct pool *pool = pool_create_private((size_t)1 << 30);
    struct search_options options = oracle_options("cbpor", BOUND_AUTO);
    static const uint64_t traces[] = {24, 312, 1704, 5160, 9792, 12960, 13824};
    struct search_stats stats;
    struct coverage seen;
    coverage_init(&seen, pool);
    seen.ends_only = true;
    assert_true(oracle_search(pool, &variables, &options, &seen, &stats));
    assert_int_equal(stats.nrows, 7);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(stats.row[i].executions, traces[i]);
        assert_int_equal(stats.row[i].distinct, traces[i]);
    }
    assert_true(stats.pruned * 20 < stats.executions); /* walks that had to be re-ordered */
    assert_true(stats.complete);
    pool_destroy_private(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cbpor_agrees_with_the_oracle_on_many_programs),
        cmocka_unit_test(cbpor_agrees_with_the_oracle_on_larger_programs),
        cmocka_unit_test(broken_variants_are_caught),
        cmocka_unit_test(bound_zero_has_both_orders_of_figure_1),
        cmocka_unit_test(context_bounds_are_not_monotonic),
        cmocka_unit_test(known_numbers_of_traces),
        cmocka_unit_test(four_threads_of_three_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
