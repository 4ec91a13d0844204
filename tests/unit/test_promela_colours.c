/* Colours of the search for cycles (search/cycle_colours.h): what one of several workers sees
 * of another, and that whether a state is expanded in full is settled when it is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "promela/search/cycle_colours.h"

#define COPIES 3u
#define STATES 50u

struct colouring {
    struct crew crew;
    struct store *store;
    struct colours worker[9];
    uint32_t number[STATES];
};

static void open_colouring(struct colouring *c, int jobs)
{
    uint64_t key[64], word[2] = {0};
    crew_init(&c->crew, 1); /* the others are never run */
    c->store = colours_store((size_t)1 << 28, &c->crew, jobs, COPIES);
    assert_non_null(c->store);
    struct store_writer *writer = store_writer(c->store, 0);
    for (uint32_t i = 0; i < STATES; i++) {
        word[1] = i;
        struct store_root root =
            store_key(writer, (uint8_t *)word, sizeof word, NULL, 0, NULL, key);
        assert_true(store_add(writer, root, &c->number[i]));
    }
    for (int i = 0; i < jobs; i++)
        c->worker[i] = colours_open(c->store, jobs, i);
}

static void close_colouring(struct colouring *c)
{
    store_free(c->store);
    crew_free(&c->crew);
}

/* Every worker has its own; neighbours, copies and other workers keep theirs. */
static void own_colours(void **state)
{
    (void)state;
    for (int jobs = 1; jobs <= 9; jobs += 2) {
        struct colouring c;
        open_colouring(&c, jobs);
        for (int i = 0; i < jobs; i++) {
            const struct colours *w = &c.worker[i];
            colours_change(w, c.number[7], 1, 0, CYAN);
            assert_int_equal(colours_get(w, c.number[7], 1), CYAN);
            assert_false(colours_elsewhere(w, c.number[7], 1));
            for (int j = 0; j < jobs; j++)
                if (j != i) {
                    assert_int_equal(colours_get(&c.worker[j], c.number[7], 1), 0);
                    assert_true(colours_elsewhere(&c.worker[j], c.number[7], 1));
                }
            colours_change(w, c.number[7], 1, CYAN | WHOLE, 0);
            assert_int_equal(colours_get(w, c.number[7], 1), 0);
            if (jobs > 1) {
                colours_change(w, c.number[7], 2, 0, PINK);
                assert_int_equal(colours_get(w, c.number[7], 2), PINK);
                colours_change(w, c.number[7], 2, PINK, 0);
            }
            for (uint32_t n = 0; n < STATES; n++)
                for (uint32_t copy = 0; copy < COPIES; copy++)
                    assert_int_equal(colours_get(w, c.number[n], copy), 0);
        }
        colours_change(&c.worker[0], c.number[8], 0, 0, RED);
        assert_int_equal(colours_get(&c.worker[jobs - 1], c.number[8], 0), RED);
        close_colouring(&c);
    }
}

/* A state that is left was tried as its mark says. */
static void settled_when_left(void **state)
{
    (void)state;
    struct colouring c;
    open_colouring(&c, 2);
    const struct colours *one = &c.worker[0], *other = &c.worker[1];
    colours_change(one, c.number[0], 0, 0, CYAN);
    assert_true(colours_expand_full(other, c.number[0], 0));
    assert_false(colours_leave(one, c.number[0], 0, false));
    assert_false(colours_get(one, c.number[0], 0) & BLUE);
    assert_true(colours_leave(other, c.number[0], 0, true));
    assert_false(colours_leave(one, c.number[0], 0, false));
    colours_change(one, c.number[0], 0, 0, WHOLE);
    assert_int_equal(colours_get(one, c.number[0], 0), CYAN | WHOLE | BLUE | EXPANDED_FULL);
    assert_true(colours_leave(one, c.number[0], 0, true));
    assert_true(colours_leave(one, c.number[1], 0, false));
    assert_false(colours_expand_full(other, c.number[1], 0));
    assert_int_equal(colours_get(other, c.number[1], 0), BLUE);
    assert_true(colours_leave(other, c.number[1], 0, false));
    close_colouring(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(own_colours),
                                       cmocka_unit_test(settled_when_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
