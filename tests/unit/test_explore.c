/* Every strategy against the oracle, on random programs (DESIGN 5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>

#include "selftest/selftest.h"

static void strategies_agree_with_the_oracle(void **state)
{
    (void)state;
    struct selftest_options options = {
        .seed = 1, .programs = 2000, .limit = 3000, .out = stderr};
    uint32_t tried = 0;
    assert_true(selftest_run(selftest_checks, selftest_nchecks, &options, &tried));
    assert_int_equal(tried, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
