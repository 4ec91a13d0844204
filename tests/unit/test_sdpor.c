/* Strategy `sdpor`: every local state and deadlock of random programs, also of cyclic ones;
 * what paper 004 warns of; the paper's first example. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "selftest/selftest.h"
#include "unit_size.h"

#define POOL_SIZE ((size_t)4 << 30)

static void every_local_state_and_deadlock(void **state)
{
    (void)state;
    struct selftest_check check = {"sdpor", selftest_sdpor};
    struct selftest_options options = {
        .seed = 1, .programs = UNIT_SIZE(4000), .limit = 1000, .mixed = true, .out = stderr};
    assert_true(selftest_run(&check, 1, &options, NULL));
}

/* Spin loops that yield: the program has no end of executions, but few states. */
static void programs_with_cycles(void **state)
{
    (void)state;
    uint64_t turned_back = 0;
    for (uint64_t seed = 1; seed <= UNIT_SIZE(400); seed++) {
        struct pool *pool = pool_create_private(POOL_SIZE);
        struct synth_program program;
        struct search_stats stats = {0};
        synth_random(&program, seed, true);
        const char *failure = selftest_states(pool, &program, &strategy_sdpor, &stats);
        if (failure) {
            synth_print(&program, stderr);
            fail_msg("%s", failure);
        }
        turned_back += stats.pruned;
        pool_destroy_private(pool);
    }
    assert_true(turned_back > UNIT_SIZE(400));
}

/* Turning back at a cycle does not show that it ends. */
static void a_cycle_is_not_called_complete(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_stats stats = {0};
    const struct synth_program program = {
        .nthreads = 2,
        .bare = true,
        .nops = {1, 1},
        .op = {{{.kind = SYNTH_SPIN, .value = 1}}, {{.kind = SYNTH_READ}}},
    };
    assert_null(selftest_states(pool, &program, &strategy_sdpor, &stats));
    assert_true(stats.cycle);
    assert_false(stats.complete);
    pool_destroy_private(pool);
}

/* Sleep sets: where states do not match it runs what dpor runs, and never much more. */
static void it_is_not_worse_than_dpor(void **state)
{
    (void)state;
    uint64_t dpor_steps = 0, sdpor_steps = 0;
    for (uint64_t seed = 1; seed <= UNIT_SIZE(400); seed++) {
        struct pool *pool = pool_create_private(POOL_SIZE);
        struct synth_program program;
        struct search_stats dpor = {0}, sdpor = {0};
        synth_random(&program, seed, false);
        assert_null(selftest_states(pool, &program, &strategy_dpor, &dpor));
        assert_null(selftest_states(pool, &program, &strategy_sdpor, &sdpor));
        dpor_steps += dpor.steps;
        sdpor_steps += sdpor.steps;
        pool_destroy_private(pool);
    }
    assert_true(dpor_steps > UNIT_SIZE(10000));
    assert_true(sdpor_steps <= dpor_steps);
}

/* Section 4.2, "the problem". Both orders of the read and the write lead to the same state,
 * with the second thread's lock to come. That it can come before the first thread's is found
 * only by who asks, at that state, what may follow. */
static void what_may_follow_a_known_state_is_asked(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    const struct synth_program program = {
        .nthreads = 2,
        .bare = true,
        .nops = {3, 2},
        .op = {{{.kind = SYNTH_LOCK}, {.kind = SYNTH_READ}, {.kind = SYNTH_UNLOCK}},
               {{.kind = SYNTH_WRITE}, {.kind = SYNTH_LOCK}}},
    };
    struct search_stats stats;
    assert_null(selftest_states(pool, &program, &strategy_sdpor, &stats));
    pool_destroy_private(pool);
}

/* --- paper 004, Fig. 1 --- */

#define LIMIT 64

/* thread 0: for (i = 0; i < N; i += 5) d += i;   thread 1: for (j = 0; j < N; j += 2) d -= j;
 */
struct example {
    struct position pos; /* first: the fingerprint call gets this address */
    struct op pending[2];
    int local[2];
    int d;
};

static uint64_t example_fingerprint(const struct position *pos)
{
    const struct example *example = (const struct example *)pos;
    uint64_t hash = hash_join(1, (uint64_t)example->d);
    hash = hash_join(hash, (uint64_t)example->local[0]);
    return hash_join(hash, (uint64_t)example->local[1]);
}

static void example_look(struct example *example)
{
    threadset_clear(&example->pos.enabled);
    for (int tid = 0; tid < 2; tid++) {
        example->pending[tid] = (struct op){.kind = OP_NONE};
        if (example->local[tid] >= LIMIT)
            continue;
        threadset_add(&example->pos.enabled, tid);
        example->pending[tid] = (struct op){
            .kind = OP_RMW, .flags = OP_READS | OP_WRITES, .nobjects = 1, .object = {1}};
    }
}

/* One execution; `failed` is set when d % 5 == 4 was seen. */
static bool example_run(struct search *search, bool *failed)
{
    struct example example = {
        .pos = {.last = -1, .nthreads = 2, .fingerprint = example_fingerprint}};
    struct op done = {.kind = OP_NONE};
    example.pos.pending = example.pending;
    search_begin(search);
    for (;;) {
        example_look(&example);
        if (threadset_empty(&example.pos.enabled))
            return search_end(search, &example.pos, OUTCOME_FINISHED);
        int tid = search_pick(search, &example.pos);
        if (tid == PICK_PRUNE)
            return search_end(search, &example.pos, OUTCOME_PRUNED);
        assert_true(tid >= 0 && threadset_has(&example.pos.enabled, tid));
        done = example.pending[tid];
        example.d += tid == 0 ? example.local[0] : -example.local[1];
        example.local[tid] += tid == 0 ? 5 : 2;
        *failed |= example.d % 5 == 4;
        example.pos.depth++;
        example.pos.last = tid;
        example.pos.done = &done;
    }
}

/* 13 and 32 iterations: C(45, 13), some 7e10, interleavings and no two of them one trace, but
 * 14 * 33 states. 15 - 6 = 9 breaks the assertion. */
static void the_first_example_of_the_paper(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options("sdpor", BOUND_NONE);
    options.count_traces = false;
    struct search *search = search_create(pool, &options, NULL, 0);
    bool failed = false;
    while (example_run(search, &failed))
        ;
    const struct search_stats *stats = search_stats(search);
    assert_true(failed);
    assert_int_equal(stats->executions, 2); /* the last step is either thread's */
    assert_true(stats->executions + stats->pruned <= 14 * 33);
    assert_true(stats->complete);
    assert_false(stats->depth_cut);
    search_destroy(search);
    pool_destroy_private(pool);
}

/* --- what it refuses, what it notices --- */

static void it_refuses_what_it_cannot_do(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    char error[160] = "";
    struct search_options options = oracle_options("sdpor", 1);
    assert_null(search_create(pool, &options, error, sizeof error));
    assert_non_null(strstr(error, "--bound"));
    options = oracle_options("sdpor", BOUND_NONE);
    options.states = false;
    assert_null(search_create(pool, &options, error, sizeof error));
    assert_non_null(strstr(error, "states"));
    pool_destroy_private(pool);
}

static void nondeterminism_is_noticed(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct search_options options = oracle_options("sdpor", BOUND_NONE);
    struct synth_program program = {.nthreads = 2, .bare = true, .nops = {2, 2}};
    struct oracle_coverage seen;
    coverage_init(&seen, pool);
    for (int tid = 0; tid < 2; tid++)
        for (int i = 0; i < 2; i++)
            program.op[tid][i] = (struct synth_op){.kind = SYNTH_RMW, .value = 1};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_local_state_and_deadlock),
        cmocka_unit_test(programs_with_cycles),
        cmocka_unit_test(a_cycle_is_not_called_complete),
        cmocka_unit_test(it_is_not_worse_than_dpor),
        cmocka_unit_test(what_may_follow_a_known_state_is_asked),
        cmocka_unit_test(the_first_example_of_the_paper),
        cmocka_unit_test(it_refuses_what_it_cannot_do),
        cmocka_unit_test(nondeterminism_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
