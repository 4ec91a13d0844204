/* icb whose queue of executions does not fit into memory: the file beside it loses nothing, and if the
 * file itself is lost, so is every claim. The program of a test that reaches 32 MB would run for
 * minutes, so this is icb with a queue of 128 KB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <unistd.h>

#include "explore/claim/claim.h"
#include "selftest/selftest.h"

#define QUEUE_MEMORY (2 * SPILL_CHUNK)
#define strategy_icb small_icb
#include "explore/exhaustive/icb.c"

#define POOL_SIZE     ((size_t)1 << 30)
#define INTERLEAVINGS 34650 /* 12! / 4!^3 */

static const struct synth_op increment = {.kind = SYNTH_RMW, .value = 1};

static struct synth_program three_loops(void)
{
    struct synth_program program = {.nthreads = 3, .bare = true, .nops = {4, 4, 4}};
    for (int thread = 0; thread < 3; thread++)
        for (int i = 0; i < 4; i++)
            program.op[thread][i] = increment;
    return program;
}

/* Closes the file after so many executions; 0: never. The reasons are in *claim. */
static struct search_stats search_all(struct claim *claim, uint64_t close_after)
{
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct synth_program program = three_loops();
    struct search_options options = oracle_options("icb", BOUND_AUTO);
    options.count_traces = false;
    struct search *search = search_create_custom(pool, &small_icb, &options, NULL, 0);
    assert_non_null(search);
    struct oracle_coverage seen;
    coverage_init(&seen, pool);
    search_set_claim(search, claim);
    while (oracle_execute(search, &program, &seen, NULL, NULL)) {
        if (search_stats(search)->executions == close_after)
            assert_int_equal(close(SPILL_DESCRIPTOR), 0);
    }
    struct search_stats stats = *search_stats(search);
    search_destroy(search);
    pool_destroy_private(pool);
    return stats;
}

static void a_queue_in_a_file_loses_nothing(void **state)
{
    (void)state;
    struct claim claim = {0};
    struct search_stats stats = search_all(&claim, 0);
    assert_int_equal(stats.executions, INTERLEAVINGS);
    assert_true(stats.complete);
    assert_true(claim_allows(&claim, CLAIM_COMPLETE));
}

/* Whenever that happens; what was finished before stays, and is all that there is within the bound. */
static void a_lost_file_forbids_every_claim(void **state)
{
    (void)state;
    struct claim claim = {0};
    struct search_stats all = search_all(&claim, 0);
    for (uint64_t moment = 9000; moment < 19000; moment += 1500) {
        claim = (struct claim){0};
        struct search_stats stats = search_all(&claim, moment);
        assert_true(stats.executions < INTERLEAVINGS);
        assert_true(claim_has(&claim, REASON_QUEUE_LOST));
        assert_false(stats.complete);
        assert_false(claim_allows(&claim, CLAIM_COMPLETE));
        assert_false(claim_allows(&claim, CLAIM_BOUND));
        assert_in_range(stats.bound_done, 3, all.nrows - 2);
        for (int bound = 0; bound <= stats.bound_done; bound++)
            assert_int_equal(stats.row[bound].executions, all.row[bound].executions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_in_a_file_loses_nothing),
        cmocka_unit_test(a_lost_file_forbids_every_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
