/* Shards: leaves are dealt once each, and what several shards say together is what the whole
 * would say, no more (cli/jobs/shards.h, merge_results.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/jobs/merge_results.h"
#include "cli/jobs/shards.h"
#include "host/buffer.h"

static void test_every_leaf_is_dealt_once(void **state)
{
    (void)state;
    struct shard_leaf leaf[50] = {{0}};
    double load[4] = {0};
    for (size_t i = 0; i < 50; i++)
        leaf[i] = (struct shard_leaf){.weight = (double)(i * 37 % 50), .shard = -1};
    shards_deal(leaf, 50, 4);
    for (size_t i = 0; i < 50; i++) {
        assert_in_range(leaf[i].shard, 0, 3);
        load[leaf[i].shard] += leaf[i].weight;
    }
    for (int i = 0; i < 4; i++)
        assert_in_range((long)load[i], 1225 / 4 - 10, 1225 / 4 + 10);
}

static void test_a_shard_is_read(void **state)
{
    (void)state;
    struct shard shard;
    static const char *const wrong[] = {"0/3", "4/3", "1/", "/3", "1", "a/3", "1/3x", "-1/3"};
    assert_true(shard_read(NULL, &shard));
    assert_int_equal(shard.of, 0);
    assert_true(shard_read("3/8", &shard));
    assert_int_equal(shard.index, 3);
    assert_int_equal(shard.of, 8);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(shard_read(wrong[i], &shard));
}

/* --- merging --- */

static struct shard part[3];
static char *names[3] = {"one", "two", "three"};

/* A shard of three, divided after bound 0, that has finished bounds 1 … done of its part. */
static struct result *make_shard(int i, int done, bool exhausted)
{
    struct result *result = result_new("p");
    struct search_stats *stats = &result->coverage.stats;
    part[i] =
        (struct shard){.index = i + 1, .of = 3, .exhausted = exhausted, .bound_done = done};
    for (int bound = 1; bound <= done; bound++)
        part[i].row[part[i].nrows++] = (struct bound_row){.bound = bound,
                                                          .executions = 10 * (uint64_t)bound,
                                                          .distinct = 10 * (uint64_t)bound};
    result->coverage.strategy = "cbpor";
    result->coverage.bound_asked = BOUND_AUTO;
    result->coverage.instrumented = true;
    result->coverage.shard = &part[i];
    stats->nrows = 1;
    stats->row[0] = (struct bound_row){.bound = 0, .executions = 6, .distinct = 6};
    stats->bound_done = 0;
    stats->executions = stats->distinct = 10 * (uint64_t)(done > 0 ? done : 0);
    stats->distinct_exact = true;
    return result;
}

static void free_shards(struct result **shard, size_t count)
{
    for (size_t i = 0; i < count; i++)
        result_free(shard[i]);
}

static void test_counts_add_up(void **state)
{
    (void)state;
    char *why;
    struct result *shard[] = {make_shard(0, 1, true), make_shard(1, 3, true),
                              make_shard(2, 2, true)};
    struct result *all = merge_results(shard, names, 3, &why);
    assert_non_null(all);
    const struct search_stats *stats = &all->coverage.stats;
    assert_true(all->coverage.complete);
    assert_int_equal(stats->nrows, 4);
    assert_int_equal(stats->row[0].executions, 6);
    assert_int_equal(stats->row[1].executions, 30);
    assert_int_equal(stats->row[2].executions, 10 + 20 + 20);
    assert_int_equal(stats->row[3].executions, 10 + 30 + 20);
    assert_int_equal(stats->executions, 60);
    assert_int_equal(stats->distinct, 60);
    assert_string_equal(result_verdict(all), "passed");
    result_free(all);
    free_shards(shard, 3);
}

static void test_the_last_bound_of_all(void **state)
{
    (void)state;
    char *why;
    struct result *shard[] = {make_shard(0, 1, false), make_shard(1, 3, true),
                              make_shard(2, 2, true)};
    struct result *all = merge_results(shard, names, 3, &why);
    assert_false(all->coverage.complete);
    assert_int_equal(all->coverage.stats.bound_done, 1);
    assert_int_equal(all->coverage.stats.nrows, 2);
    assert_string_equal(result_verdict(all), "nothing-found");
    result_free(all);
    free_shards(shard, 3);
}

static void test_a_missing_shard(void **state)
{
    (void)state;
    char *why;
    struct result *shard[] = {make_shard(0, 2, true), make_shard(1, 2, true)};
    struct result *all = merge_results(shard, names, 2, &why);
    assert_false(all->coverage.complete);
    assert_false(all->coverage.stats.complete);
    assert_int_equal(all->coverage.stats.bound_done, 0);
    assert_int_equal(all->coverage.stats.nrows, 1);
    assert_true(claim_has(&all->coverage.claim, REASON_SHARDS_MISSING));
    assert_string_equal(result_verdict(all), "nothing-found");
    result_free(all);
    free_shards(shard, 2);
}

static void test_reasons_of_each_count(void **state)
{
    (void)state;
    char *why;
    struct result *shard[] = {make_shard(0, 2, true), make_shard(1, 2, true),
                              make_shard(2, 2, true)};
    claim_raise(&shard[1]->coverage.claim, REASON_STEP_LIMIT, NULL);
    struct result *all = merge_results(shard, names, 3, &why);
    assert_false(all->coverage.complete);
    assert_string_equal(result_verdict(all), "nothing-found");
    result_free(all);
    free_shards(shard, 3);
}

static void test_one_that_searched_all_speaks_for_all(void **state)
{
    (void)state;
    char *why;
    struct result *shard[] = {make_shard(0, 2, true), make_shard(1, 2, false)};
    part[1].whole = true;
    shard[1]->coverage.stats.bound_done = 2;
    shard[1]->coverage.stats.complete = true;
    shard[1]->coverage.stats.executions = 77;
    struct result *all = merge_results(shard, names, 2, &why);
    assert_true(all->coverage.complete);
    assert_int_equal(all->coverage.stats.executions, 77);
    result_free(all);
    free_shards(shard, 2);
}

static void test_strangers_are_refused(void **state)
{
    (void)state;
    for (int what = 0; what < 5; what++) {
        char *why = NULL;
        struct result *shard[] = {make_shard(0, 2, true), make_shard(1, 2, true)};
        part[1].program += what == 0;
        part[1].options += what == 1;
        part[1].tree += what == 2;
        part[1].index -= what == 3;
        shard[1]->coverage.stats.row[0].executions += what == 4;
        assert_null(merge_results(shard, names, 2, &why));
        assert_non_null(why);
        free(why);
        free_shards(shard, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_leaf_is_dealt_once),
        cmocka_unit_test(test_a_shard_is_read),
        cmocka_unit_test(test_counts_add_up),
        cmocka_unit_test(test_the_last_bound_of_all),
        cmocka_unit_test(test_a_missing_shard),
        cmocka_unit_test(test_reasons_of_each_count),
        cmocka_unit_test(test_one_that_searched_all_speaks_for_all),
        cmocka_unit_test(test_strangers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
