/* Every strategy against the oracle, on random programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>

#include "selftest/selftest.h"
#include "unit_size.h"

static void agree_on(struct selftest_options options)
{
    uint32_t tried = 0;
    if (unit_sample() < UNIT_SAMPLES && options.programs >= 30) {
        options.programs /= UNIT_SAMPLES;
        options.seed += (uint64_t)unit_sample() * options.programs;
    }
    options.out = stderr;
    assert_true(selftest_run(selftest_checks, selftest_nchecks, &options, &tried));
    assert_int_equal(tried, options.programs);
}

static void agree(uint64_t seed, uint32_t programs, uint32_t limit)
{
    agree_on((struct selftest_options){.seed = seed, .programs = programs, .limit = limit});
}

static void strategies_agree_with_the_oracle_on_many_programs(void **state)
{
    (void)state;
    agree(1, UNIT_SIZE(600), 400);
}

static void strategies_agree_with_the_oracle_on_larger_programs(void **state)
{
    (void)state;
    agree(1000000, UNIT_SIZE(30), 4000);
}

static void strategies_are_right_about_operations_of_an_unknown_kind(void **state)
{
    (void)state;
    agree_on((struct selftest_options){
        .seed = 2600000, .programs = UNIT_SIZE(300), .limit = 400, .nameless = true});
}

static void strategies_agree_on_programs_with_atomic_sections(void **state)
{
    (void)state;
    agree_on((struct selftest_options){
        .seed = 2000000, .programs = UNIT_SIZE(300), .limit = 400, .glue = true});
}

static void strategies_agree_on_programs_with_time_outs(void **state)
{
    (void)state;
    agree_on((struct selftest_options){
        .seed = 3000000, .programs = UNIT_SIZE(300), .limit = 400, .time_out = true});
}

/* What one time-out does differs from choice to choice: it takes the lock, or only looks at it.
 */
static void strategies_agree_on_programs_with_time_outs_at_any_moment(void **state)
{
    (void)state;
    agree_on((struct selftest_options){
        .seed = 6000000, .programs = UNIT_SIZE(150), .limit = 400, .any_time_out = true});
}

static void strategies_agree_on_programs_with_spurious_wake_ups(void **state)
{
    (void)state;
    agree_on((struct selftest_options){
        .seed = 7000000, .programs = UNIT_SIZE(150), .limit = 400, .spurious = true});
}

/* Of one or two variables, or of more than an operation can name; with reads, exchanges and
 * compare-exchanges. From 104200 on the plain algorithm would miss a deadlock if what waits in
 * a loop did not say that it may write. */
static void strategies_agree_on_programs_with_idle_loops(void **state)
{
    (void)state;
    agree_on((struct selftest_options){
        .seed = 8000000, .programs = UNIT_SIZE(150), .limit = 400, .spin = true});
    agree_on(
        (struct selftest_options){.seed = 104200, .programs = 10, .limit = 400, .spin = true});
}

static void strategies_agree_on_programs_that_fail(void **state)
{
    (void)state;
    agree_on((struct selftest_options){
        .seed = 5000000, .programs = UNIT_SIZE(300), .limit = 400, .check = true});
}

/* By a data race, or by an assumption about plain memory: steps that depend on each other
 * though their operations do not (explore/world/early_ends.h). */
static void strategies_agree_on_programs_that_end_early(void **state)
{
    (void)state;
    agree_on((struct selftest_options){
        .seed = 10000000, .programs = UNIT_SIZE(300), .limit = 400, .touch = true});
}

static void strategies_agree_on_programs_with_everything(void **state)
{
    (void)state;
    agree_on((struct selftest_options){.seed = 4000000,
                                       .programs = UNIT_SIZE(200),
                                       .limit = 400,
                                       .glue = true,
                                       .time_out = true,
                                       .check = true});
    agree_on((struct selftest_options){
        .seed = 9000000, .programs = UNIT_SIZE(200), .limit = 400, .mixed = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_agree_with_the_oracle_on_many_programs),
        cmocka_unit_test(strategies_agree_with_the_oracle_on_larger_programs),
        cmocka_unit_test(strategies_are_right_about_operations_of_an_unknown_kind),
        cmocka_unit_test(strategies_agree_on_programs_with_atomic_sections),
        cmocka_unit_test(strategies_agree_on_programs_with_time_outs),
        cmocka_unit_test(strategies_agree_on_programs_with_time_outs_at_any_moment),
        cmocka_unit_test(strategies_agree_on_programs_with_spurious_wake_ups),
        cmocka_unit_test(strategies_agree_on_programs_with_idle_loops),
        cmocka_unit_test(strategies_agree_on_programs_that_fail),
        cmocka_unit_test(strategies_agree_on_programs_that_end_early),
        cmocka_unit_test(strategies_agree_on_programs_with_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
