/* The stack of the search for cycles against plain arrays: frames and what they have still to
 * try, deep enough to be folded and looked through many times, while more and more of it need
 * not be tried any more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "promela/search/trials.h"

#define STATES  100000u
#define DEEPEST 30000u
#define TURNS   400000
#define MOST    6 /* trials of a frame */

struct known {
    uint32_t number, copy;
    bool inner;
    struct trial trial[MOST];
    uint32_t at, count;
};

static uint64_t seed;
static bool *closed; /* by state and copy */
static uint32_t copies;

static uint32_t pick(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

static bool is_open(void *context, uint32_t number, uint32_t copy)
{
    (void)context;
    return !closed[number * copies + copy];
}

static void push(struct trials *t, struct known *k)
{
    *k = (struct known){.number = pick(STATES), .copy = pick(copies), .inner = pick(3) == 0};
    assert_true(trials_push(
        t, (struct trials_frame){.number = k->number, .copy = k->copy, .inner = k->inner}));
    uint32_t number = pick(STATES - MOST), copy = pick(copies);
    for (k->count = 0; k->count < pick(MOST + 1); k->count++) {
        if (pick(3) == 0)
            number = pick(STATES - MOST);
        if (pick(3) == 0)
            copy = pick(copies);
        k->trial[k->count] = (struct trial){number++, copy, 0};
        assert_true(trials_add(t, k->trial[k->count]));
    }
}

/* What is open is tried in the order in which it came. */
static void try_next(struct trials *t, struct known *k)
{
    const struct trial *got = trials_next(t);
    while (got && !is_open(NULL, got->number, got->copy))
        got = trials_next(t);
    while (k->at < k->count && !is_open(NULL, k->trial[k->at].number, k->trial[k->at].copy))
        k->at++;
    assert_int_equal(!!got, k->at < k->count);
    if (got) {
        assert_int_equal(got->number, k->trial[k->at].number);
        assert_int_equal(got->copy, k->trial[k->at].copy);
        k->at++;
    }
}

static void same_frame(const struct trials_frame *f, const struct known *k)
{
    assert_non_null(f);
    assert_int_equal(f->number, k->number);
    assert_int_equal(f->copy, k->copy);
    assert_int_equal(f->inner, k->inner);
}

static void walk(const struct trials *t, const struct known *list, uint32_t depth)
{
    struct trials_walk w = trials_walk(t);
    for (uint32_t i = 0; i < depth; i++)
        same_frame(trials_walk_on(&w), &list[i]);
    assert_null(trials_walk_on(&w));
    trials_walk_end(&w);
}

static void against_arrays(bool folds)
{
    struct known *list = calloc(DEEPEST, sizeof *list);
    struct trials t = {.folds = folds, .copies = copies > 1, .is_open = is_open};
    closed = calloc((size_t)STATES * copies, sizeof *closed);
    uint32_t depth = 0, deepest = 0;
    seed = 11;
    for (int turn = 0; turn < TURNS; turn++) {
        bool down = turn < TURNS / 2;
        closed[pick(STATES * copies)] = true;
        if (depth < DEEPEST && (depth == 0 || pick(8) < (down ? 5 : 2)))
            push(&t, &list[depth++]);
        else if (pick(2))
            try_next(&t, &list[depth - 1]);
        else {
            trials_pop(&t);
            depth--;
        }
        deepest = depth > deepest ? depth : deepest;
        assert_int_equal(trials_depth(&t), depth);
        if (depth > 0)
            same_frame(trials_top(&t), &list[depth - 1]);
        if (turn % (TURNS / 8) == 0)
            walk(&t, list, depth);
    }
    assert_int_equal(deepest, DEEPEST);
    for (; depth > 0; depth--) {
        try_next(&t, &list[depth - 1]);
        trials_pop(&t);
    }
    assert_int_equal(trials_depth(&t), 0);
    trials_free(&t);
    free(closed);
    free(list);
}

static void one_copy(void **state)
{
    (void)state;
    copies = 1;
    against_arrays(true);
}

static void several_copies(void **state)
{
    (void)state;
    copies = 5;
    against_arrays(true);
}

static void never_folded(void **state)
{
    (void)state;
    copies = 5;
    against_arrays(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_copy),
        cmocka_unit_test(several_copies),
        cmocka_unit_test(never_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
