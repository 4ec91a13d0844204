/* Atomic sections as single steps: what a strategy sees of them, and that this keeps reductions
 * exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "explore/world/section.h"
#include "selftest/selftest.h"

#define OBJECT_X 11
#define OBJECT_Y 12
#define OBJECT_Z 13

static struct position at(uint32_t depth, const struct op *done, bool alone)
{
    struct position pos = {.depth = depth, .last = 0, .done = done, .alone = alone};
    pos.section = alone;
    return pos;
}

static struct op access_of(uint64_t object, bool write)
{
    return (struct op){.kind = write ? OP_STORE : OP_LOAD,
                       .flags = write ? OP_WRITES : OP_READS,
                       .nobjects = 1,
                       .object = {object}};
}

static void a_section_is_one_step_with_all_its_objects(void **state)
{
    (void)state;
    struct section section = {0};
    struct op read_x = access_of(OBJECT_X, false), write_y = access_of(OBJECT_Y, true);
    struct op write_x = access_of(OBJECT_X, true), read_z = access_of(OBJECT_Z, false);
    struct op pending[2] = {read_x, read_x};
    section_begin(&section);
    struct position first = at(1, &read_x, true), second = at(2, &write_y, true);
    struct position third = at(3, &read_z, false);
    third.pending = pending;
    threadset_add(&third.enabled, 0);
    assert_true(section_goes_on(&section, &first));
    assert_true(section_goes_on(&section, &second));
    assert_false(section_goes_on(&section, &third));
    const struct position *seen = section_look(&section, &third);
    assert_int_equal(seen->depth, 1);
    assert_int_equal(seen->done->kind, OP_SECTION);
    assert_true(op_dependent(seen->done, &write_x));
    assert_false(op_dependent(seen->done, &read_x));
    assert_true(op_dependent(seen->done, &write_y));
    assert_false(op_dependent(seen->done, &read_z));
    /* the next step is an ordinary one, two positions further in the world */
    struct position fourth = at(4, &write_x, false);
    fourth.pending = pending;
    seen = section_look(&section, &fourth);
    assert_int_equal(seen->depth, 2);
    assert_ptr_equal(seen->done, &write_x);
}

static void a_section_that_blocks_depends_on_everything(void **state)
{
    (void)state;
    struct section section = {0};
    struct op write_y = access_of(OBJECT_Y, true), read_x = access_of(OBJECT_X, false);
    struct op pending[1] = {read_x};
    struct position pos = at(1, &write_y, false);
    pos.section = true;
    pos.pending = pending;
    section_begin(&section);
    const struct position *seen = section_look(&section, &pos);
    assert_true(seen->done->flags & OP_GLOBAL);
    assert_int_equal(seen->depth, 1);
    threadset_add(&pos.enabled, 0); /* it goes on: nothing to add */
    assert_ptr_equal(section_look(&section, &pos), &pos);
}

/* {r = x; y = 1} and {r = x; z = 1} have nothing to tell each other: one trace, one execution.
 */
static void independent_sections_are_one_trace(void **state)
{
    (void)state;
    static const char *const strategies[] = {"dpor", "cbpor", "optimal"};
    struct synth_program program = {.nthreads = 2, .bare = true, .nops = {2, 2}};
    for (int tid = 0; tid < 2; tid++) {
        program.op[tid][0] = (struct synth_op){.kind = SYNTH_READ, .glued = true};
        program.op[tid][1] =
            (struct synth_op){.kind = SYNTH_WRITE, .object = (uint8_t)(tid + 1)};
    }
    for (int i = 0; i < 3; i++) {
        struct pool *pool = pool_create_private((size_t)1 << 30);
        struct search_options options =
            oracle_options(strategies[i], i == 1 ? BOUND_AUTO : BOUND_NONE);
        struct search_stats stats;
        struct oracle_coverage seen;
        coverage_init(&seen, pool);
        assert_true(oracle_search(pool, &program, &options, &seen, &stats));
        assert_int_equal(stats.executions, 1);
        assert_true(stats.complete);
        pool_destroy_private(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_section_is_one_step_with_all_its_objects),
        cmocka_unit_test(a_section_that_blocks_depends_on_everything),
        cmocka_unit_test(independent_sections_are_one_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
