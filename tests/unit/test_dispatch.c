/* Who gets which leaf (cli/jobs/dispatch.h), with a transport that only takes notes: that is
 * all that a transport of another kind must be able to do. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/jobs/dispatch.h"

#define WORKERS 3

struct notes {
    int leaf[WORKERS];
    int bound[WORKERS];
    int asked[WORKERS];
    uint64_t most;
    bool refuses;
};

static struct leaf kept, gift;
static const struct slot_names names;

static bool note_leaf(void *context, int worker, int leaf, int bound)
{
    struct notes *notes = context;
    notes->leaf[worker] = leaf;
    notes->bound[worker] = bound;
    return !notes->refuses;
}

static void note_question(void *context, int worker, uint64_t most)
{
    struct notes *notes = context;
    notes->asked[worker]++;
    notes->most = most;
}

/* Worker 0 has split the whole search, at bound 0; all have joined. */
static void open_shared_out(struct dispatch *dispatch, struct notes *notes)
{
    struct search_stats before = {.bound = 0, .bound_done = -1, .distinct_exact = true};
    *notes = (struct notes){.leaf = {-1, -1, -1}};
    dispatch_open(dispatch,
                  (struct transport){.context = notes, .give = note_leaf, .ask = note_question},
                  WORKERS);
    for (int i = 0; i < WORKERS; i++)
        dispatch_joined(dispatch, i, 0);
    dispatch_ask(dispatch, 0, UINT64_MAX);
    notes->asked[0] = 0;
    dispatch_share(dispatch, &before, INT_MAX, &kept, &gift, &names, 77);
}

static enum course answer(struct dispatch *dispatch, int worker, bool more, uint32_t gifts)
{
    struct leaf_answer done = {.what = WORK_FINISHED, .gifts = gifts, .layout = 77};
    done.stats = (struct search_stats){.executions = 2,
                                       .distinct = 2,
                                       .distinct_exact = true,
                                       .pruned_by_bound = more,
                                       .bound_done = dispatch->foreman.total.bound};
    return dispatch_answer(dispatch, worker, &done, 1);
}

/* Else the same part would be entered twice, and its traces counted twice. */
static void test_the_first_gift_is_taken_once(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_shared_out(&dispatch, &notes);
    assert_int_equal(dispatch.foreman.count, 2);
    assert_false(dispatch.worker[0].asked);
    assert_int_equal(dispatch.worker[0].gifts, 1);
    dispatch_close(&dispatch);
}

static void test_leaves_go_to_who_has_none(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_shared_out(&dispatch, &notes);
    assert_int_equal(dispatch_direct(&dispatch, 0), COURSE_ON);
    assert_int_equal(notes.leaf[1], 1);
    assert_int_equal(notes.leaf[2], -1); /* nothing is left for it: somebody is asked, */
    assert_int_equal(notes.asked[0] + notes.asked[1], 0);
    assert_int_equal(dispatch_direct(&dispatch, 0.1), COURSE_ON); /* but not at once */
    assert_int_equal(notes.asked[0], 1);
    dispatch_ask(&dispatch, 1, UINT64_MAX);
    dispatch_gift(&dispatch, 0, &kept, &gift, &names);
    dispatch_no_gift(&dispatch, 1, 0);
    assert_false(dispatch_may_ask(&dispatch, 1, 0));
    assert_true(dispatch_may_ask(&dispatch, 1, 1));
    assert_int_equal(dispatch_direct(&dispatch, 0), COURSE_ON);
    assert_int_equal(notes.leaf[2], 2);
    assert_int_equal(answer(&dispatch, 0, true, 2), COURSE_ON);
    assert_int_equal(answer(&dispatch, 1, true, 0), COURSE_ON);
    assert_int_equal(dispatch_direct(&dispatch, 2), COURSE_ON);
    assert_int_equal(dispatch.foreman.total.bound, 0); /* one is still at work */
    assert_int_equal(answer(&dispatch, 2, false, 0), COURSE_ON);
    assert_int_equal(dispatch_direct(&dispatch, 2), COURSE_ON);
    assert_int_equal(dispatch.foreman.total.bound, 1);
    assert_int_equal(notes.bound[0], 1);
    assert_int_equal(notes.leaf[0], 0); /* each goes on with what it has begun */
    assert_int_equal(notes.leaf[1], 1);
    assert_int_equal(answer(&dispatch, 0, false, 2), COURSE_ON);
    assert_int_equal(answer(&dispatch, 1, false, 0), COURSE_ON);
    assert_int_equal(dispatch_direct(&dispatch, 2), COURSE_OVER);
    assert_true(dispatch.foreman.total.complete);
    dispatch_close(&dispatch);
}

/* A leaf that was split begins to count again. */
static void test_counts_never_fall(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_shared_out(&dispatch, &notes);
    struct search_stats before = foreman_counts(&dispatch.foreman);
    dispatch.foreman.total.executions = before.executions + 10;
    dispatch.foreman.total.distinct = before.distinct + 5;
    struct search_stats after = foreman_counts(&dispatch.foreman);
    assert_int_equal(after.executions, before.executions + 10);
    assert_int_equal(after.distinct, before.distinct + 5);
    dispatch_close(&dispatch);
}

static void test_what_ends_leaves(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_shared_out(&dispatch, &notes);
    assert_int_equal(answer(&dispatch, 0, true, 2), COURSE_ONE); /* a gift that nobody has */
    dispatch_close(&dispatch);

    open_shared_out(&dispatch, &notes);
    dispatch.layout = 78;
    assert_int_equal(answer(&dispatch, 0, true, 1), COURSE_ONE);
    dispatch_close(&dispatch);

    open_shared_out(&dispatch, &notes);
    struct claim claim = {0};
    claim_raise(&claim, REASON_UNCONTROLLED, "connect");
    dispatch_reasons(&dispatch, &claim);
    assert_int_equal(answer(&dispatch, 0, true, 1), COURSE_ONE);
    dispatch_close(&dispatch);

    open_shared_out(&dispatch, &notes);
    struct leaf_answer learned = {.what = WORK_LEARNED, .layout = 77};
    assert_int_equal(dispatch_answer(&dispatch, 0, &learned, 0), COURSE_OVER_AGAIN);
    assert_int_equal(dispatch.learner, 0);
    dispatch_close(&dispatch);

    open_shared_out(&dispatch, &notes);
    struct leaf_answer partly = {
        .what = WORK_FINISHED, .layout = 77, .stats = {.bound_done = -1}};
    assert_int_equal(dispatch_answer(&dispatch, 0, &partly, 0), COURSE_ONE);
    dispatch_close(&dispatch);

    open_shared_out(&dispatch, &notes);
    notes.refuses = true;
    assert_int_equal(dispatch_direct(&dispatch, 0), COURSE_ONE);
    assert_non_null(dispatch.why_one);
    dispatch_close(&dispatch);
}

static void test_without_bounds_a_leaf_must_be_complete(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_shared_out(&dispatch, &notes);
    dispatch.foreman.total.bound = BOUND_NONE;
    struct leaf_answer partly = {
        .what = WORK_FINISHED, .layout = 77, .stats = {.bound_done = -1}};
    assert_int_equal(dispatch_answer(&dispatch, 0, &partly, 0), COURSE_ONE);
    dispatch_close(&dispatch);
}

/* At bound 1 there were three times as many executions as at bound 0; two leaves have had 100
 * each so far, which 1 s was spent on, and a third has had none. */
static void open_grown(struct dispatch *dispatch, struct notes *notes)
{
    open_shared_out(dispatch, notes);
    struct search_stats *total = &dispatch->foreman.total;
    total->bound = 1;
    total->nrows = 1;
    total->row[0] = (struct bound_row){.bound = 0, .executions = 67, .distinct = 67};
    assert_int_equal(dispatch_direct(dispatch, 0), COURSE_ON);
    for (int i = 0; i < 2; i++) {
        struct leaf_answer done = {.what = WORK_FINISHED, .gifts = i == 0, .layout = 77};
        done.stats = (struct search_stats){.executions = 100,
                                           .distinct_exact = true,
                                           .pruned_by_bound = true,
                                           .bound_done = 1};
        assert_int_equal(dispatch_answer(dispatch, i, &done, 0.5), COURSE_ON);
    }
    assert_int_equal(dispatch_direct(dispatch, 1), COURSE_ON);
    assert_int_equal(total->bound, 2);
    assert_int_equal(notes->leaf[0], 0);
    assert_int_equal(notes->leaf[1], 1);
    assert_int_equal(notes->leaf[2], -1);
}

/* Who gets the part repeats what was run of it: little may be, as long as nobody waits for it. */
static void test_a_part_is_asked_for_in_advance(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_grown(&dispatch, &notes);
    assert_int_equal(answer(&dispatch, 1, true, 0), COURSE_ON); /* it takes the last open leaf */
    dispatch.worker[2].here = false; /* nobody is idle */
    dispatch.foreman.leaf[0]->live.executions = 640;
    assert_int_equal(dispatch_direct(&dispatch, 1.1), COURSE_ON);
    assert_int_equal(notes.asked[0], 1);
    assert_int_equal(notes.most, 640 / 64);
    dispatch_close(&dispatch);
}

static void test_no_more_is_repeated_than_workers_waited(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_grown(&dispatch, &notes);
    dispatch.foreman.leaf[0]->live.executions = 200; /* 100 of them at this bound */
    dispatch.foreman.leaf[1]->live.executions = 280;
    dispatch.spent.idle = 0;
    assert_int_equal(dispatch_direct(&dispatch, 1.5), COURSE_ON);
    assert_int_equal(notes.asked[0] + notes.asked[1], 2);
    assert_true(notes.most <= 280 / 64);
    dispatch_no_gift(&dispatch, 0, 1.5);
    assert_int_equal(dispatch_direct(&dispatch, 2), COURSE_ON); /* one has waited for 1 s of 1 s */
    assert_int_equal(notes.asked[0], 2);
    assert_int_equal(notes.most, 200 / 64 + 100 / 2);
    dispatch_close(&dispatch);
}

static void test_a_leaf_that_another_has_begun_is_taken_late(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_grown(&dispatch, &notes);
    dispatch.worker[1].leaf = -1; /* as if it had never got its leaf */
    dispatch.foreman.leaf[1]->state = LEAF_OPEN;
    dispatch_lost(&dispatch, 1);
    dispatch.foreman.leaf[1]->worker = 0;
    dispatch.spent.idle = 0;
    assert_int_equal(dispatch_direct(&dispatch, 1.1), COURSE_ON);
    assert_int_equal(dispatch_direct(&dispatch, 1.4), COURSE_ON);
    assert_int_equal(notes.leaf[2], -1);
    assert_int_equal(dispatch_direct(&dispatch, 1.7), COURSE_ON); /* 0.6 s: 120 executions */
    assert_int_equal(dispatch_direct(&dispatch, 1.7), COURSE_ON);
    assert_int_equal(notes.leaf[2], 1);
    assert_true(dispatch.spent.idle < 0.01);
    dispatch_close(&dispatch);
}

static void test_a_lost_worker_is_replaced(void **state)
{
    (void)state;
    struct dispatch dispatch;
    struct notes notes;
    open_shared_out(&dispatch, &notes);
    assert_int_equal(dispatch_direct(&dispatch, 0), COURSE_ON);
    dispatch_lost(&dispatch, 1);
    notes.leaf[1] = notes.leaf[2] = -1;
    assert_int_equal(dispatch_direct(&dispatch, 0), COURSE_ON);
    assert_int_equal(notes.leaf[1], -1);
    assert_int_equal(notes.leaf[2], 1);
    dispatch_joined(&dispatch, 1, 0);
    dispatch_gift(&dispatch, 0, &kept, &gift, &names);
    assert_int_equal(dispatch_direct(&dispatch, 0), COURSE_ON);
    assert_int_equal(notes.leaf[1], 2);
    dispatch_close(&dispatch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_gift_is_taken_once),
        cmocka_unit_test(test_leaves_go_to_who_has_none),
        cmocka_unit_test(test_counts_never_fall),
        cmocka_unit_test(test_what_ends_leaves),
        cmocka_unit_test(test_without_bounds_a_leaf_must_be_complete),
        cmocka_unit_test(test_a_part_is_asked_for_in_advance),
        cmocka_unit_test(test_no_more_is_repeated_than_workers_waited),
        cmocka_unit_test(test_a_leaf_that_another_has_begun_is_taken_late),
        cmocka_unit_test(test_a_lost_worker_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
