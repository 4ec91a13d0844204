/* The judge of histories against brute force: every order of a random history is tried on a
 * model of the container, which is what "linearizable" means by definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "explore/judge/linear.h"

/* The model: a stack; push(n) = 0, pop() = top, and it waits where the stack is empty. */
enum { PUSH = 1, POP = 2 };
#define THREADS    3
#define PER_THREAD 2
#define ROUNDS     3000

struct model {
    int count;
    uint32_t item[THREADS * PER_THREAD];
};

static bool apply(struct model *model, const struct linear_operation *call, uint32_t *result)
{
    if (call->operation == PUSH) {
        model->item[model->count++] = call->arguments;
        *result = 0;
        return true;
    }
    if (model->count == 0)
        return false;
    *result = model->item[--model->count];
    return true;
}

struct test {
    uint32_t count[THREADS];
    struct linear_operation call[THREADS][PER_THREAD];
};

/* Phase 1: every serial execution. */
static void run_serial(struct linear_table *table, const struct test *test, uint32_t *done,
                       const struct linear_history *before, const struct model *model)
{
    bool any = false;
    for (uint32_t t = 0; t < THREADS; t++) {
        if (done[t] == test->count[t])
            continue;
        any = true;
        struct model next = *model;
        struct linear_history after = *before;
        struct linear_operation *item = &after.item[after.count++];
        *item = test->call[t][done[t]];
        item->begin = item->end = after.count;
        if (!apply(&next, item, &item->result)) {
            item->result = item->end = LINEAR_PENDING;
            linear_add(table, &after);
            continue;
        }
        done[t]++;
        run_serial(table, test, done, &after, &next);
        done[t]--;
    }
    if (!any)
        linear_add(table, before);
}

/* By definition: some order of the completed operations, which keeps what ended before what
 * began and each thread's own order, gives their results; then `pending` (-1: none) waits. */
static bool brute_force(const struct linear_history *history, uint64_t used,
                        const struct model *model, int pending)
{
    bool all = true;
    for (uint32_t i = 0; i < history->count; i++) {
        const struct linear_operation *item = &history->item[i];
        if ((used >> i & 1) || item->end == LINEAR_PENDING)
            continue;
        all = false;
        bool first = true;
        for (uint32_t j = 0; j < history->count; j++)
            if (!(used >> j & 1) && j != i && history->item[j].end < item->begin)
                first = false;
        struct model next = *model;
        uint32_t result;
        if (first && apply(&next, item, &result) && result == item->result &&
            brute_force(history, used | UINT64_C(1) << i, &next, pending))
            return true;
    }
    if (!all || pending < 0)
        return all;
    struct model next = *model;
    uint32_t result;
    return !apply(&next, &history->item[pending], &result);
}

/* --- Random tests and histories --- */

static struct test random_test(uint64_t *seed)
{
    struct test test = {0};
    for (uint32_t t = 0; t < THREADS; t++) {
        test.count[t] = (uint32_t)random_below(seed, PER_THREAD + 1);
        for (uint32_t i = 0; i < test.count[t]; i++) {
            bool push = random_below(seed, 2);
            test.call[t][i] =
                (struct linear_operation){.tid = t,
                                          .operation = push ? PUSH : POP,
                                          .arguments = push ? 10 + t * PER_THREAD + i : 0};
        }
    }
    return test;
}

/* Threads begin and end their operations in a random order. Results are those of a stack that
 * takes an operation at its end, sometimes made wrong; with `stuck` pops may not end. */
static void random_history(const struct test *test, uint64_t *seed, bool stuck,
                           struct linear_history *out)
{
    uint32_t begun[THREADS] = {0}, moment = 0;
    int open[THREADS] = {-1, -1, -1};
    bool waits[THREADS] = {false};
    struct model model = {0};
    out->count = 0;
    for (int tries = 0; tries < 200; tries++) {
        uint32_t t = (uint32_t)random_below(seed, THREADS);
        if (waits[t])
            continue;
        if (open[t] < 0) {
            if (begun[t] == test->count[t])
                continue;
            open[t] = (int)out->count;
            out->item[out->count] = test->call[t][begun[t]++];
            out->item[out->count].begin = moment++;
            out->item[out->count].end = out->item[out->count].result = LINEAR_PENDING;
            out->count++;
            continue;
        }
        struct linear_operation *item = &out->item[open[t]];
        uint32_t result = 0;
        if (stuck && item->operation == POP && random_below(seed, 3) == 0) {
            waits[t] = true;
            continue;
        }
        if (!apply(&model, item, &result))
            result = 99;
        if (random_below(seed, 6) == 0)
            result = 10 + (uint32_t)random_below(seed, THREADS * PER_THREAD);
        item->result = item->operation == PUSH ? 0 : result;
        item->end = moment++;
        open[t] = -1;
    }
}

static bool all_ended(const struct linear_history *history)
{
    for (uint32_t i = 0; i < history->count; i++)
        if (history->item[i].end == LINEAR_PENDING)
            return false;
    return true;
}

static void judge_matches_definition(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int explained = 0, refused = 0;
    struct linear_table *table = calloc(1, sizeof *table);
    for (int round = 0; round < ROUNDS; round++) {
        struct test test = random_test(&seed);
        struct linear_history none = {0}, history;
        struct model empty = {0};
        uint32_t done[THREADS] = {0};
        memset(table->bucket, 0, sizeof table->bucket);
        table->nhistories = table->nentries = 0;
        run_serial(table, &test, done, &none, &empty);
        random_history(&test, &seed, false, &history);
        uint32_t whole = test.count[0] + test.count[1] + test.count[2];
        if (history.count != whole || !all_ended(&history))
            continue;
        bool expected = brute_force(&history, 0, &empty, -1);
        assert_int_equal(linear_explains(table, &history), expected);
        explained += expected;
        refused += !expected;
    }
    assert_true(explained > 100 && refused > 100);
    free(table);
}

static void stuck_histories_match_definition(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int explained = 0, refused = 0;
    struct linear_table *table = calloc(1, sizeof *table);
    for (int round = 0; round < ROUNDS; round++) {
        struct test test = random_test(&seed);
        struct linear_history none = {0}, history;
        struct model empty = {0};
        uint32_t done[THREADS] = {0};
        memset(table->bucket, 0, sizeof table->bucket);
        table->nhistories = table->nentries = 0;
        run_serial(table, &test, done, &none, &empty);
        random_history(&test, &seed, true, &history);
        int expected = -1;
        for (uint32_t i = 0; i < history.count && expected < 0; i++)
            if (history.item[i].end == LINEAR_PENDING &&
                !brute_force(&history, 0, &empty, (int)i))
                expected = (int)i;
        if (all_ended(&history))
            continue;
        assert_int_equal(linear_unexplained(table, &history), expected);
        explained += expected < 0;
        refused += expected >= 0;
    }
    assert_true(explained > 20 && refused > 100);
    free(table);
}

static void names_are_numbers(void **state)
{
    (void)state;
    struct linear_table *table = calloc(1, sizeof *table);
    uint32_t push = linear_name(table, "push");
    assert_int_equal(linear_name(table, ""), 0);
    assert_int_not_equal(push, 0);
    assert_int_equal(linear_name(table, "push"), push);
    assert_int_not_equal(linear_name(table, "pus"), push);
    assert_int_not_equal(linear_name(table, "pushed"), push);
    assert_string_equal(table->name[push], "push");
    for (int i = 0; i < LINEAR_NAMES && !table->full; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        linear_name(table, text);
    }
    assert_true(table->full);
    free(table);
}

static void copies_and_damaged_tables(void **state)
{
    (void)state;
    struct linear_table *table = calloc(1, sizeof *table);
    struct linear_table *copy = calloc(1, sizeof *copy);
    struct linear_history one = {.count = 2,
                                 .item = {{.tid = 1, .operation = PUSH, .end = 1},
                                          {.tid = 2, .operation = POP, .begin = 2, .end = 3}}};
    struct linear_history other = one;
    other.item[1].result = 7;
    linear_add(table, &one);
    linear_add(table, &one);
    assert_int_equal(table->nhistories, 1);
    linear_copy(copy, table);
    assert_true(linear_explains(copy, &one));
    assert_false(linear_explains(copy, &other));
    /* a chain that leads in a circle, or out of the table, ends */
    copy->history[0].next = 1;
    assert_false(linear_explains(copy, &other));
    copy->history[0].first = UINT32_MAX;
    assert_false(linear_explains(copy, &one));
    copy->nhistories = 0;
    assert_false(linear_explains(copy, &one));
    free(table);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judge_matches_definition),
        cmocka_unit_test(stuck_histories_match_definition),
        cmocka_unit_test(names_are_numbers),
        cmocka_unit_test(copies_and_damaged_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
