/* Every strategy against the oracle, on random programs (DESIGN 5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>

#include "selftest/selftest.h"

static void agree(uint64_t seed, uint32_t programs, uint32_t limit)
{
    struct selftest_options options = {
        .seed = seed, .programs = programs, .limit = limit, .out = stderr};
    uint32_t tried = 0;
    assert_true(selftest_run(selftest_checks, selftest_nchecks, &options, &tried));
    assert_int_equal(tried, programs);
}

static void strategies_agree_with_the_oracle_on_many_programs(void **state)
{
    (void)state;
    agree(1, 600, 400);
}

static void strategies_agree_with_the_oracle_on_larger_programs(void **state)
{
    (void)state;
    agree(1000000, 30, 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_agree_with_the_oracle_on_many_programs),
        cmocka_unit_test(strategies_agree_with_the_oracle_on_larger_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
