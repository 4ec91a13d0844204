/* UNIT_ONLY=NAME runs one test of a program, for what is run again and again: mutants, or a
 * person who looks for a fault. NAME may contain * and ?. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>

__attribute__((constructor)) static void choose_test(void)
{
    const char *only = getenv("UNIT_ONLY");
    if (only)
        cmocka_set_test_filter(only);
}
