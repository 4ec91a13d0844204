/* Partial-order reductions: what the checks against the oracle leave open, the papers' examples,
 * and known numbers of traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "selftest/selftest.h"
#include "unit_size.h"

#define POOL_SIZE ((size_t)4 << 30)

/* Paper 002, 5.3: a thread beyond the fair bound can be left without a preemption. With both
 * bounds 0 two threads that yield in turns come to their end; and without a preemption bound
 * none is iterated. */
static void threads_beyond_the_fair_bound_are_left_for_free(void **state)
{
    (void)state;
    struct synth_program program = {
        .nthreads = 2,
        .bare = true,
        .nops = {3, 3},
    };
    for (int tid = 0; tid < 2; tid++) {
        program.op[tid][0] = (struct synth_op){.kind = SYNTH_YIELD};
        program.op[tid][1] = (struct synth_op){.kind = SYNTH_RMW, .value = 1};
        program.op[tid][2] = (struct synth_op){.kind = SYNTH_RMW, .value = 1};
    }
    for (int bound = BOUND_NONE; bound <= 0; bound++) {
        struct pool *pool = pool_create_private(POOL_SIZE);
        struct search_options options = oracle_options("bpor", bound);
        struct oracle_coverage seen;
        struct search_stats stats;
        options.fair = 0;
        coverage_init(&seen, pool);
        assert_true(oracle_search(pool, &program, &options, &seen, &stats));
        assert_true(stats.executions > 0);
        assert_int_equal(stats.nrows, bound == BOUND_NONE ? 0 : 1);
        pool_destroy_private(pool);
    }
}

/* --- what else programs have --- */

static void reductions_agree(const struct selftest_options *options)
{
    static const struct selftest_check checks[] = {
        {"dpor", selftest_dpor},
        {"dpor-plain", selftest_dpor_plain},
        {"bpor", selftest_bpor},
        {"bpor-plain", selftest_bpor_plain},
    };
    assert_true(selftest_run(checks, 4, options, NULL));
}

static void atomic_sections_are_kept_together(void **state)
{
    (void)state;
    reductions_agree(&(struct selftest_options){
        .seed = 1500, .programs = UNIT_SIZE(300), .limit = 400, .glue = true, .out = stderr});
    reductions_agree(&(struct selftest_options){/* sections that block */
                                                .seed = 30008080,
                                                .programs = 5,
                                                .limit = 1500,
                                                .glue = true,
                                                .out = stderr});
}

/* Operations that read one object and write another, as copies of racing memory are. */
static void copies_depend_on_both_sides(void **state)
{
    (void)state;
    reductions_agree(&(struct selftest_options){
        .seed = 700, .programs = UNIT_SIZE(300), .limit = 400, .copy = true, .out = stderr});
}

/* Semaphores, a read-write lock and a barrier: operations that release several threads. */
static void semaphores_rwlocks_and_barriers_agree(void **state)
{
    (void)state;
    reductions_agree(&(struct selftest_options){
        .seed = 900, .programs = UNIT_SIZE(300), .limit = 400, .synchronise = true, .out = stderr});
}

static void time_outs_come_when_nobody_can_run(void **state)
{
    (void)state;
    reductions_agree(&(struct selftest_options){
        .seed = 400, .programs = UNIT_SIZE(300), .limit = 400, .time_out = true, .out = stderr});
}

/* --- examples --- */

struct expected {
    int rows;
    uint64_t traces[8];
};

/* The number of traces within bound 0, 1, 2, … from a search to the end. */
static void traces_within_bounds(const char *strategy, const struct synth_program *program,
                                 const struct expected *expected)
{
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options(strategy, BOUND_AUTO);
    struct oracle_coverage seen;
    struct search_stats stats;
    coverage_init(&seen, pool);
    seen.ends_only = true;
    assert_true(oracle_search(pool, program, &options, &seen, &stats));
    assert_true(stats.complete);
    for (int i = 0; i < expected->rows; i++) {
        int row = i < stats.nrows ? i : stats.nrows - 1;
        assert_int_equal(stats.row[row].distinct, expected->traces[i]);
    }
    assert_int_equal(stats.distinct, expected->traces[expected->rows - 1]);
    pool_destroy_private(pool);
}

/* Paper 002, Fig. 1: t1 and t2 of u, t3 of v; t2 and t3 are dependent. Both orders are
 * possible without preemption; naive pruning finds one. */
static void figure_1_of_paper_002(void **state)
{
    (void)state;
    const struct synth_program program = {
        .nthreads = 2,
        .bare = true,
        .nops = {2, 1},
        .op = {{{.kind = SYNTH_WRITE, .object = 0}, {.kind = SYNTH_WRITE, .object = 1}},
               {{.kind = SYNTH_WRITE, .object = 1}}},
    };
    traces_within_bounds("bpor", &program, &(struct expected){1, {2}});
    traces_within_bounds("bpor-plain", &program, &(struct expected){1, {2}});
}

static void increment_all(struct synth_program *program, int threads, int variables)
{
    memset(program, 0, sizeof *program);
    program->bare = true;
    program->nthreads = threads;
    for (int tid = 0; tid < threads; tid++) {
        program->nops[tid] = variables;
        for (int i = 0; i < variables; i++)
            program->op[tid][i] =
                (struct synth_op){.kind = SYNTH_RMW, .object = (uint8_t)i, .value = 1};
    }
}

static void known_numbers_of_traces(void **state)
{
    (void)state;
    struct synth_program program;
    increment_all(&program, 4, 1);
    traces_within_bounds("bpor", &program, &(struct expected){1, {24}});
    increment_all(&program, 3, 3);
    traces_within_bounds("bpor", &program, &(struct expected){5, {6, 42, 120, 192, 216}});
    traces_within_bounds("icb", &program, &(struct expected){5, {6, 42, 120, 192, 216}});
    increment_all(&program, 4, 3);
    traces_within_bounds("bpor", &program,
                         &(struct expected){7, {24, 312, 1704, 5160, 9792, 12960, 13824}});
    /* each thread: CAS(x: 0 → 1), then a store of its own */
    memset(&program, 0, sizeof program);
    program.bare = true;
    program.nthreads = 3;
    for (int tid = 0; tid < 3; tid++) {
        program.nops[tid] = 2;
        program.op[tid][0] = (struct synth_op){.kind = SYNTH_CAS};
        program.op[tid][1] =
            (struct synth_op){.kind = SYNTH_WRITE, .value = (uint8_t)(tid + 1)};
    }
    traces_within_bounds("bpor", &program, &(struct expected){4, {6, 24, 54, 66}});
    /* store buffering */
    const struct synth_program buffering = {
        .nthreads = 2,
        .bare = true,
        .nops = {2, 2},
        .op = {{{.kind = SYNTH_WRITE, .object = 0, .value = 1},
                {.kind = SYNTH_READ, .object = 1}},
               {{.kind = SYNTH_WRITE, .object = 1, .value = 1},
                {.kind = SYNTH_READ, .object = 0}}},
    };
    traces_within_bounds("bpor", &buffering, &(struct expected){2, {2, 3}});
}

/* dpor runs as many executions as there are traces, here and on random programs. */
static void dpor_runs_one_execution_per_trace(void **state)
{
    (void)state;
    uint64_t executions = 0;
    uint64_t traces = 0;
    for (uint64_t seed = 1; seed <= UNIT_SIZE(300); seed++) {
        struct synth_program program;
        struct pool *pool = pool_create_private(POOL_SIZE);
        struct search_options options = oracle_options("dpor", BOUND_NONE);
        struct oracle_coverage all, seen;
        struct search_stats stats;
        synth_random(&program, seed, false);
        coverage_init(&all, pool);
        coverage_init(&seen, pool);
        if (oracle_enumerate(&program, 500, &all)) {
            assert_true(oracle_search(pool, &program, &options, &seen, &stats));
            executions += stats.executions;
            traces += all.classes.count;
        }
        pool_destroy_private(pool);
    }
    assert_true(traces > UNIT_SIZE(500));
    assert_int_equal(executions, traces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_beyond_the_fair_bound_are_left_for_free),
        cmocka_unit_test(atomic_sections_are_kept_together),
        cmocka_unit_test(copies_depend_on_both_sides),
        cmocka_unit_test(semaphores_rwlocks_and_barriers_agree),
        cmocka_unit_test(time_outs_come_when_nobody_can_run),
        cmocka_unit_test(figure_1_of_paper_002),
        cmocka_unit_test(known_numbers_of_traces),
        cmocka_unit_test(dpor_runs_one_execution_per_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
