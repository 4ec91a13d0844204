/* The foreman of a search in leaves (cli/jobs/foreman.h): every leaf counts once, with what
 * was done of it completely, and nothing is claimed while one is missing. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/jobs/foreman.h"

static struct leaf kept, gift;
static const struct slot_names names;

static struct search_stats counts(uint64_t traces, bool more)
{
    return (struct search_stats){.executions = traces,
                                 .distinct = traces,
                                 .distinct_exact = true,
                                 .pruned_by_bound = more,
                                 .bound_done = -1};
}

/* Two leaves at bound 1; worker 0 runs the first. */
static struct foreman two_leaves(int last_bound)
{
    struct foreman foreman;
    struct search_stats before = counts(7, false);
    before.bound = 1;
    before.bound_done = 0;
    before.nrows = 1;
    before.row[0] = (struct bound_row){.bound = 0, .executions = 3, .distinct = 3};
    foreman_open(&foreman, &before, last_bound, &kept, &gift, &names);
    return foreman;
}

static void finish(struct foreman *foreman, int leaf, uint64_t traces, bool more)
{
    struct search_stats stats = counts(traces, more);
    foreman_finished(foreman, leaf, &stats);
}

static void test_every_leaf_must_be_done(void **state)
{
    (void)state;
    struct claim claim = {0};
    struct foreman foreman = two_leaves(INT_MAX);
    assert_false(foreman_bound_is_done(&foreman));
    finish(&foreman, 0, 10, true);
    assert_false(foreman_bound_is_done(&foreman));
    assert_int_equal(foreman_open_leaves(&foreman), 1);
    assert_int_equal(foreman_next(&foreman, 0, 0), 1);
    assert_false(foreman_bound_is_done(&foreman));
    finish(&foreman, 1, 5, false);
    assert_true(foreman_bound_is_done(&foreman));
    assert_true(foreman_next_bound(&foreman, &claim));
    assert_int_equal(foreman.total.nrows, 2);
    assert_int_equal(foreman.total.row[1].distinct, 15);
    assert_int_equal(foreman.total.bound_done, 1);
    assert_int_equal(foreman.total.bound, 2);
    /* the second has nothing more; it counts as it is */
    assert_int_equal(foreman_next(&foreman, 1, 1e9), 0);
    assert_int_equal(foreman_next(&foreman, 2, 1e9), -1);
    finish(&foreman, 0, 12, false);
    assert_false(foreman_next_bound(&foreman, &claim));
    assert_true(foreman.total.complete);
    assert_int_equal(foreman.total.distinct, 17);
    foreman_close(&foreman);
}

/* A leaf leaves out what other leaves have: one process had not begun the bound that adds nothing. */
static void test_a_last_bound_that_adds_nothing_is_none(void **state)
{
    (void)state;
    struct claim claim = {0};
    struct foreman foreman = two_leaves(INT_MAX);
    finish(&foreman, 0, 10, true);
    assert_int_equal(foreman_next(&foreman, 0, 0), 1);
    finish(&foreman, 1, 5, true);
    assert_true(foreman_next_bound(&foreman, &claim));
    assert_int_equal(foreman_next(&foreman, 0, 0), 0);
    finish(&foreman, 0, 10, false);
    assert_int_equal(foreman_next(&foreman, 0, 0), 1);
    finish(&foreman, 1, 5, false);
    assert_false(foreman_next_bound(&foreman, &claim));
    assert_true(foreman.total.complete);
    assert_int_equal(foreman.total.bound, 1);
    assert_int_equal(foreman.total.bound_done, 1);
    assert_int_equal(foreman.total.nrows, 2);
    foreman_close(&foreman);
}

static void test_a_lost_leaf_is_done_again(void **state)
{
    (void)state;
    struct claim claim = {0};
    struct foreman foreman = two_leaves(INT_MAX);
    assert_int_equal(foreman_next(&foreman, 1, 0), 1);
    foreman.leaf[1]->live = counts(400, false);
    foreman_lost(&foreman, 1);
    finish(&foreman, 0, 10, false);
    assert_false(foreman_bound_is_done(&foreman));
    assert_int_equal(foreman_counts(&foreman).distinct, 10);
    assert_int_equal(foreman_next(&foreman, 2, 0), 1);
    finish(&foreman, 1, 5, false);
    assert_false(foreman_next_bound(&foreman, &claim));
    assert_true(foreman.total.complete);
    assert_int_equal(foreman.total.distinct, 15);
    foreman_close(&foreman);
}

static void test_a_gift_is_a_leaf(void **state)
{
    (void)state;
    struct foreman foreman = two_leaves(INT_MAX);
    foreman_split(&foreman, 0, &kept, &gift, &names);
    finish(&foreman, 0, 10, false);
    assert_int_equal(foreman_next(&foreman, 0, 0), 2);
    finish(&foreman, 2, 1, false);
    assert_false(foreman_bound_is_done(&foreman));
    assert_int_equal(foreman_next(&foreman, 1, 0), 1);
    finish(&foreman, 1, 1, false);
    assert_true(foreman_bound_is_done(&foreman));
    foreman_close(&foreman);
}

static void test_reasons_forbid(void **state)
{
    (void)state;
    struct claim claim = {0};
    struct foreman foreman = two_leaves(INT_MAX);
    claim_raise(&claim, REASON_PREFIX_LOST, NULL);
    finish(&foreman, 0, 10, false);
    assert_int_equal(foreman_next(&foreman, 1, 0), 1);
    finish(&foreman, 1, 5, false);
    assert_false(foreman_next_bound(&foreman, &claim));
    assert_false(foreman.total.complete);
    assert_int_equal(foreman.total.bound_done, 0);
    foreman_close(&foreman);
}

static void test_the_last_bound(void **state)
{
    (void)state;
    struct claim claim = {0};
    struct foreman foreman = two_leaves(1);
    finish(&foreman, 0, 10, false);
    assert_int_equal(foreman_next(&foreman, 1, 0), 1);
    finish(&foreman, 1, 5, true);
    assert_false(foreman_next_bound(&foreman, &claim));
    assert_false(foreman.total.complete);
    assert_int_equal(foreman.total.bound_done, 1);
    foreman_close(&foreman);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_leaf_must_be_done),
        cmocka_unit_test(test_a_last_bound_that_adds_nothing_is_none),
        cmocka_unit_test(test_a_lost_leaf_is_done_again),
        cmocka_unit_test(test_a_gift_is_a_leaf),
        cmocka_unit_test(test_reasons_forbid),
        cmocka_unit_test(test_the_last_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
