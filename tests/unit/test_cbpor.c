/* cbpor and cbpor-1 against the oracle (paper 000). Broken variants
 * that the same checks must catch are in tests/mutants.
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

#include "explore/cbpor/cbpor.h"
#include "selftest/selftest.h"
#include "unit_size.h"

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

static const struct selftest_check checks[] = {
    {"cbpor", selftest_cbpor},
    {"cbpor-1", selftest_cbpor_1},
    {"cbpor, sparing", selftest_cbpor_sparing},
    {"cbpor, thinned out", selftest_cbpor_thin},
};

static void checks_agree(uint64_t seed, uint32_t programs, uint32_t limit)
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
    checks_agree(1, wanted ? (uint32_t)atoi(wanted) : UNIT_SIZE(2000), 400);
}

static void cbpor_agrees_with_the_oracle_on_larger_programs(void **state)
{
    (void)state;
    checks_agree(5000000, UNIT_SIZE(100), 10000);
}

/* --- programs of the paper, and known numbers --- */

struct counts {
    uint64_t states;
    uint64_t traces;
    bool complete;
};

static struct counts run_search(const struct synth_program *program,
                             const struct strategy_ops *ops, int bound)
{
    struct pool *pool = pool_create_private((size_t)1 << 30);
    struct strategy_ops told = with_counts(ops);
    struct search_options options = oracle_options("", bound);
    struct search_stats stats;
    struct oracle_coverage seen;
    coverage_init(&seen, pool);
    assert_true(oracle_search_custom(pool, program, &told, &options, &seen, &stats));
    assert_int_equal(stats.executions, stats.distinct);
    pool_destroy_private(pool);
    return (struct counts){counted.visited, stats.executions, stats.complete};
}

static void add_op(struct synth_program *program, int tid, int kind, int object, int value)
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
    add_op(&program, 0, SYNTH_WRITE, 0, 1);
    add_op(&program, 0, SYNTH_WRITE, 1, 1);
    add_op(&program, 1, SYNTH_WRITE, 1, 2);
    struct counts counts = run_search(&program, &strategy_cbpor, 0);
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
    add_op(&program, 0, SYNTH_WRITE, 0, 1);
    add_op(&program, 0, SYNTH_WRITE, 0, 2);
    add_op(&program, 1, SYNTH_WRITE, 1, 1);
    add_op(&program, 1, SYNTH_WRITE, 1, 2);
    struct counts within_0 = run_search(&program, &strategy_cbpor_1, 0);
    assert_int_equal(within_0.states, 8);
    assert_int_equal(within_0.traces, 1);
    assert_false(within_0.complete);
    struct counts within_1 = run_search(&program, &strategy_cbpor_1, 1);
    assert_int_equal(within_1.states, 9);
    assert_true(within_1.complete);
    struct counts terminal = run_search(&program, &strategy_cbpor, 0);
    assert_int_equal(terminal.traces, 1);
    assert_true(terminal.complete);
}

static void expect_traces(const struct synth_program *program, const uint64_t *traces, int n)
{
    for (int bound = 0; bound < n; bound++) {
        struct counts counts = run_search(program, &strategy_cbpor, bound);
        assert_int_equal(counts.traces, traces[bound]);
        assert_int_equal(counts.complete, bound == n - 1);
    }
}

static void known_numbers_of_traces(void **state)
{
    (void)state;
    struct synth_program buffering = {.nthreads = 2, .bare = true};
    for (int tid = 0; tid < 2; tid++) {
        add_op(&buffering, tid, SYNTH_WRITE, tid, 1);
        add_op(&buffering, tid, SYNTH_READ, 1 - tid, 0);
    }
    expect_traces(&buffering, (const uint64_t[]){2, 3}, 2);
    struct synth_program adders = {.nthreads = 4, .bare = true};
    struct synth_program variables = {.nthreads = 3, .bare = true};
    struct synth_program swappers = {.nthreads = 3, .bare = true};
    for (int tid = 0; tid < 4; tid++)
        add_op(&adders, tid, SYNTH_RMW, 0, 1);
    for (int tid = 0; tid < 3; tid++)
        for (int variable = 0; variable < 3; variable++)
            add_op(&variables, tid, SYNTH_RMW, variable, 1);
    for (int tid = 0; tid < 3; tid++) {
        add_op(&swappers, tid, SYNTH_CAS, 0, 0);
        add_op(&swappers, tid, SYNTH_WRITE, 0, tid + 1);
    }
    expect_traces(&adders, (const uint64_t[]){24}, 1);
    expect_traces(&variables, (const uint64_t[]){6, 42, 120, 192, 216}, 5);
    expect_traces(&swappers, (const uint64_t[]){6, 24, 54, 66}, 4);
}

static struct synth_program four_times_three(void)
{
    struct synth_program variables = {.nthreads = 4, .bare = true};
    for (int tid = 0; tid < 4; tid++)
        for (int variable = 0; variable < 3; variable++)
            add_op(&variables, tid, SYNTH_RMW, variable, 1);
    return variables;
}

static void four_threads_of_three_variables(void **state)
{
    (void)state;
    struct synth_program variables = four_times_three();
    struct pool *pool = pool_create_private((size_t)1 << 30);
    struct search_options options = oracle_options("cbpor", BOUND_AUTO);
    static const uint64_t traces[] = {24, 312, 1704, 5160, 9792, 12960, 13824};
    struct search_stats stats;
    struct oracle_coverage seen;
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

static void what_nothing_is_left_of_is_forgotten(void **state)
{
    (void)state;
    struct synth_program variables = four_times_three();
    struct pool *pool = pool_create_private((size_t)1 << 30);
    struct search_options options = oracle_options("cbpor", BOUND_AUTO);
    struct strategy_ops told = with_counts(&strategy_cbpor);
    struct search_stats stats;
    struct oracle_coverage seen;
    coverage_init(&seen, pool);
    seen.ends_only = true;
    assert_true(oracle_search_custom(pool, &variables, &told, &options, &seen, &stats));
    assert_true(stats.complete);
    assert_int_equal(stats.executions, 13824);
    /* there are 133,000 of them, nearly all exhausted by then */
    assert_in_range(counted.states, 1, 40000);
    pool_destroy_private(pool);
}

/* Executions and traces of a program at one preemption; with `choose` bpor may take over. */
static struct search_stats at_bound_one(const struct synth_program *program, bool choose)
{
    struct pool *pool = pool_create_private((size_t)1 << 30);
    struct search_options options = oracle_options("cbpor", 1);
    struct search_stats stats;
    struct oracle_coverage seen;
    options.trace_states = choose ? 1000000 : 0;
    coverage_init(&seen, pool);
    seen.ends_only = true;
    assert_true(oracle_search(pool, program, &options, &seen, &stats));
    pool_destroy_private(pool);
    return stats;
}

static void bpor_takes_over_where_traces_have_many_prefixes(void **state)
{
    (void)state;
    struct synth_program few = four_times_three(), many = {.nthreads = 4, .bare = true};
    for (int tid = 0; tid < 4; tid++)
        for (int i = 0; i < 6; i++)
            add_op(&many, tid, SYNTH_RMW, i / 2, 1);
    struct search_stats plain = at_bound_one(&few, false), chosen = at_bound_one(&few, true);
    assert_int_equal(chosen.executions, plain.executions);
    plain = at_bound_one(&many, false);
    chosen = at_bound_one(&many, true);
    assert_int_equal(plain.executions, plain.distinct);
    assert_true(chosen.executions > chosen.distinct);
    assert_int_equal(chosen.distinct, plain.distinct);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cbpor_agrees_with_the_oracle_on_many_programs),
        cmocka_unit_test(cbpor_agrees_with_the_oracle_on_larger_programs),
        cmocka_unit_test(bound_zero_has_both_orders_of_figure_1),
        cmocka_unit_test(context_bounds_are_not_monotonic),
        cmocka_unit_test(known_numbers_of_traces),
        cmocka_unit_test(four_threads_of_three_variables),
        cmocka_unit_test(what_nothing_is_left_of_is_forgotten),
        cmocka_unit_test(bpor_takes_over_where_traces_have_many_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
