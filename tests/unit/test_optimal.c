/* Strategy `optimal`: one execution per trace on random programs and known ones, and what a
 * wrong guess costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "selftest/selftest.h"
#include "unit_size.h"

#define POOL_SIZE ((size_t)4 << 30)

static struct search_stats search_all(const struct synth_program *program)
{
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options("optimal", BOUND_NONE);
    struct oracle_coverage seen;
    struct search_stats stats;
    coverage_init(&seen, pool);
    seen.ends_only = true;
    assert_true(oracle_search(pool, program, &options, &seen, &stats));
    assert_true(stats.complete);
    assert_int_equal(stats.distinct, stats.executions);
    assert_int_equal(coverage_repeats(&seen.classes), 1);
    pool_destroy_private(pool);
    return stats;
}

/* --- random programs --- */

static uint64_t executions, abandoned;

static const char *counted_failure(const struct selftest_case *one)
{
    struct search_stats stats;
    const char *failure = selftest_one_per_trace(one, &strategy_optimal, &stats);
    executions += stats.executions;
    abandoned += stats.pruned;
    return failure;
}

/* Guesses that turn out wrong are rare: below 2 % of the executions of these programs, of which
 * every sixteenth operation waits for a value. */
static void one_execution_per_trace(void **state)
{
    (void)state;
    struct selftest_check check = {"optimal", counted_failure};
    struct selftest_options options = {
        .seed = 100000, .programs = UNIT_SIZE(3000), .limit = 2000, .out = stderr};
    assert_true(selftest_run(&check, 1, &options, NULL));
    assert_true(executions > UNIT_SIZE(6000));
    assert_true(abandoned * 50 < executions);
}

static bool waits_for_values(const struct synth_program *program)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            if (program->op[tid][i].kind == SYNTH_AWAIT ||
                program->op[tid][i].kind == SYNTH_WAIT)
                return true;
    return false;
}

/* With locks and joins, but without other conditions to wait for, only a CAS or trylock whose
 * result has to be guessed can go wrong. */
static const char *without_waiting_failure(const struct selftest_case *one)
{
    struct search_stats stats;
    if (waits_for_values(one->program))
        return NULL;
    const char *failure = selftest_one_per_trace(one, &strategy_optimal, &stats);
    executions += stats.executions;
    abandoned += stats.pruned;
    return failure;
}

static void locks_are_not_guessed(void **state)
{
    (void)state;
    struct selftest_check check = {"optimal", without_waiting_failure};
    struct selftest_options options = {
        .seed = 200000, .programs = UNIT_SIZE(2000), .limit = 1000, .out = stderr};
    executions = abandoned = 0;
    assert_true(selftest_run(&check, 1, &options, NULL));
    assert_true(executions > UNIT_SIZE(3000));
    assert_true(abandoned * 500 < executions);
}

/* --- larger programs, against dpor --- */

/* Operations of nine random programs in three or four threads: up to some thousand traces, too
 * many interleavings for the oracle. */
static void make_larger(struct synth_program *program, uint64_t seed)
{
    synth_random(program, seed, false);
    program->bare = true;
    program->nthreads = program->nthreads == 4 ? 4 : 3;
    int most = program->nthreads == 4 ? SYNTH_OPS - 1 : SYNTH_OPS;
    for (int tid = 0; tid < program->nthreads; tid++) {
        for (uint64_t i = 1; i < 9; i++) {
            struct synth_program more;
            synth_random(&more, seed + i, false);
            for (int k = 0; k < more.nops[tid] && program->nops[tid] < most; k++)
                program->op[tid][program->nops[tid]++] = more.op[tid][k];
        }
        for (int k = 0; k < program->nops[tid]; k++) {
            struct synth_op *op = &program->op[tid][k];
            if (op->kind == SYNTH_SPAWN || op->kind == SYNTH_JOIN)
                *op = (struct synth_op){.kind = SYNTH_RMW, .value = 1};
            if (op->kind == SYNTH_EXIT && k + 1 < program->nops[tid])
                op->kind = SYNTH_YIELD;
        }
    }
}

static void the_same_traces_as_dpor_on_larger_programs(void **state)
{
    (void)state;
    uint64_t traces = 0;
    for (uint64_t seed = 1; seed < 9 * UNIT_SIZE(200); seed += 9) {
        struct pool *pool = pool_create_private(POOL_SIZE);
        struct search_options options = oracle_options("dpor", BOUND_NONE);
        struct synth_program program;
        struct oracle_coverage expected, seen;
        struct search_stats stats;
        options.execs = 5000;
        make_larger(&program, seed);
        coverage_init(&expected, pool);
        coverage_init(&seen, pool);
        expected.ends_only = seen.ends_only = true;
        assert_true(oracle_search(pool, &program, &options, &expected, &stats));
        if (stats.complete) {
            options = oracle_options("optimal", BOUND_NONE);
            assert_true(oracle_search(pool, &program, &options, &seen, &stats));
            if (stats.executions != expected.classes.count ||
                coverage_missing(&expected.classes, &seen.classes, -1))
                synth_print(&program, stderr);
            assert_int_equal(coverage_missing(&expected.classes, &seen.classes, -1), 0);
            assert_int_equal(stats.executions, expected.classes.count);
            traces += stats.executions;
        }
        pool_destroy_private(pool);
    }
    assert_true(traces > UNIT_SIZE(20000));
}

/* --- known numbers --- */

static void add_op(struct synth_program *program, int tid, struct synth_op op)
{
    program->op[tid][program->nops[tid]++] = op;
}

static struct synth_program bare_program(int n)
{
    struct synth_program program;
    memset(&program, 0, sizeof program);
    program.bare = true;
    program.nthreads = n;
    return program;
}

static void known_numbers_of_traces(void **state)
{
    (void)state;
    static const uint64_t increments[] = {0, 0, 8, 216, 13824};
    static const uint64_t stores[] = {0, 0, 6, 66, 1200};
    for (int n = 3; n <= 4; n++) {
        struct synth_program all = bare_program(n);
        struct synth_program cas = bare_program(n);
        for (int tid = 0; tid < n; tid++) {
            for (int i = 0; i < 3; i++)
                add_op(&all, tid,
                    (struct synth_op){.kind = SYNTH_RMW, .object = (uint8_t)i, .value = 1});
            add_op(&cas, tid, (struct synth_op){.kind = SYNTH_CAS});
            add_op(&cas, tid, (struct synth_op){.kind = SYNTH_WRITE, .value = 1, .add_r = false});
        }
        struct search_stats stats = search_all(&all);
        assert_int_equal(stats.executions, increments[n]);
        assert_int_equal(stats.pruned, 0);
        stats = search_all(&cas);
        assert_int_equal(stats.executions, stores[n]);
        assert_int_equal(stats.pruned, 0);
    }
}

/* Readers of three variables that one thread each writes: source sets alone are blocked by
 * sleep sets here (POPL 2014, section 4), the wakeup tree is what prevents it. */
static void readers_and_writers_are_not_blocked(void **state)
{
    (void)state;
    struct synth_program program = bare_program(4);
    for (int i = 0; i < 2; i++) {
        add_op(&program, 0, (struct synth_op){.kind = SYNTH_READ, .object = (uint8_t)i});
        add_op(&program, 1, (struct synth_op){.kind = SYNTH_READ, .object = (uint8_t)(1 - i)});
        add_op(&program, 2 + i,
            (struct synth_op){.kind = SYNTH_WRITE, .object = (uint8_t)i, .value = 1});
        add_op(&program, 2 + i, (struct synth_op){.kind = SYNTH_READ, .object = 2});
    }
    assert_int_equal(search_all(&program).pruned, 0);
}

/* Four threads with one critical section each: 4! orders, none begun in vain. */
static void critical_sections(void **state)
{
    (void)state;
    struct synth_program program = bare_program(4);
    for (int tid = 0; tid < 4; tid++) {
        add_op(&program, tid, (struct synth_op){.kind = SYNTH_LOCK});
        add_op(&program, tid, (struct synth_op){.kind = SYNTH_UNLOCK});
    }
    struct search_stats stats = search_all(&program);
    assert_int_equal(stats.executions, 24);
    assert_int_equal(stats.pruned, 0);
}

/* --- what it refuses, what it notices --- */

static void a_bound_is_refused(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    char error[80] = "";
    struct search_options options = oracle_options("optimal", 2);
    assert_null(search_create(pool, &options, error, sizeof error));
    assert_non_null(strstr(error, "--bound"));
    pool_destroy_private(pool);
}

/* The same prefix leads elsewhere the second time. */
static void nondeterminism_is_noticed(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options("optimal", BOUND_NONE);
    struct synth_program program = bare_program(2);
    struct oracle_coverage seen;
    coverage_init(&seen, pool);
    for (int tid = 0; tid < 2; tid++)
        for (int i = 0; i < 2; i++)
            add_op(&program, tid, (struct synth_op){.kind = SYNTH_RMW, .value = 1});
    struct search *made = search_create(pool, &options, NULL, 0);
    assert_true(oracle_execute(made, &program, &seen, NULL, NULL));
    program.op[0][0].object = 1;
    while (oracle_execute(made, &program, &seen, NULL, NULL))
        ;
    assert_true(search_stats(made)->diverged);
    assert_false(search_stats(made)->complete);
    search_destroy(made);
    pool_destroy_private(pool);
}

/* A world by hand: two threads of two steps; each step of thread 0 makes `choices` binary data
 * choices; thread 1 is in an atomic section after its first step. */
struct toy {
    struct op pending[2];
    struct position pos;
    int choices;
    int left[2];
};

static void toy_look(struct toy *toy)
{
    threadset_clear(&toy->pos.enabled);
    toy->pos.alone = toy->left[1] == 1 && toy->pos.last == 1;
    for (int tid = 0; tid < 2; tid++) {
        toy->pending[tid] = (struct op){.kind = OP_NONE};
        if (toy->left[tid] == 0)
            continue;
        toy->pending[tid] =
            (struct op){.kind = OP_STORE, .flags = OP_WRITES, .nobjects = 1, .object = {7}};
        if (tid == 1 || !toy->pos.alone)
            threadset_add(&toy->pos.enabled, tid);
    }
}

static bool toy_run(struct search *made, int choices, enum outcome outcome)
{
    struct toy toy = {.choices = choices, .left = {2, 2}};
    struct op done = {.kind = OP_NONE};
    toy.pos = (struct position){.last = -1, .nthreads = 2, .pending = toy.pending};
    search_begin(made);
    for (;;) {
        toy_look(&toy);
        if (threadset_empty(&toy.pos.enabled))
            return search_end(made, &toy.pos, outcome);
        int tid = search_pick(made, &toy.pos);
        assert_true(tid >= 0 && threadset_has(&toy.pos.enabled, tid));
        done = toy.pending[tid];
        for (int i = 0; i < toy.choices && tid == 0; i++)
            assert_in_range(search_choose(made, 2), 0, 1);
        toy.left[tid]--;
        toy.pos.depth++;
        toy.pos.last = tid;
        toy.pos.done = &done;
    }
}

/* Two writes of thread 0 around, before or after the atomic section of thread 1: three orders;
 * each of the two steps has 4 results of its two choices. */
static void choices_and_atomic_sections(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options("optimal", BOUND_NONE);
    for (int choices = 0; choices <= 2; choices++) {
        struct search *made = search_create(pool, &options, NULL, 0);
        while (toy_run(made, choices, OUTCOME_FINISHED))
            ;
        uint64_t expected = UINT64_C(3) << (2 * choices);
        assert_int_equal(search_stats(made)->executions, expected);
        assert_int_equal(search_stats(made)->distinct, expected);
        assert_int_equal(search_stats(made)->pruned, 0);
        assert_true(search_stats(made)->complete);
        search_destroy(made);
    }
    pool_destroy_private(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_execution_per_trace),
        cmocka_unit_test(locks_are_not_guessed),
        cmocka_unit_test(the_same_traces_as_dpor_on_larger_programs),
        cmocka_unit_test(known_numbers_of_traces),
        cmocka_unit_test(readers_and_writers_are_not_blocked),
        cmocka_unit_test(critical_sections),
        cmocka_unit_test(a_bound_is_refused),
        cmocka_unit_test(nondeterminism_is_noticed),
        cmocka_unit_test(choices_and_atomic_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
