/* Names of C++: default template arguments are dropped, long ones are elided, and nothing that
 * a damaged file may have for a name does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "debuginfo/cxx_names.h"

static void expect_short(const char *name, const char *expected)
{
    struct buffer out = {0};
    add_short_name(&out, name);
    assert_string_equal(out.data ? out.data : "", expected);
    buffer_release(&out);
}

static void expect_elided(const char *name, const char *expected)
{
    struct buffer out = {0};
    add_elided_name(&out, name);
    assert_string_equal(out.data ? out.data : "", expected);
    buffer_release(&out);
}

static void default_arguments(void **state)
{
    (void)state;
    expect_short("push", "push");
    expect_short(
        "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
        "std::string");
    expect_short("std::basic_string_view<char, std::char_traits<char> >", "std::string_view");
    expect_short(
        "std::vector<std::unique_ptr<Job, std::default_delete<Job> >, "
        "std::allocator<std::unique_ptr<Job, std::default_delete<Job> > > >::push_back",
        "std::vector<std::unique_ptr<Job>>::push_back");
    expect_short(
        "std::map<int, Job, std::less<int>, std::allocator<std::pair<int const, Job> > >",
        "std::map<int, Job>");
    expect_short("std::allocator<int>::allocate", "std::allocator<int>::allocate");
    expect_short("std::function<void (int, char)>::operator()",
                 "std::function<void (int, char)>::operator()");
}

static void operators(void **state)
{
    (void)state;
    expect_short("Pair::operator<", "Pair::operator<");
    expect_short("Pair::operator<=", "Pair::operator<=");
    expect_short("operator<< <int>", "operator<< <int>");
    expect_short("Ref<Job>::operator->", "Ref<Job>::operator->");
}

static void long_arguments(void **state)
{
    (void)state;
    expect_elided("LockFreeStack<Job>::pop", "LockFreeStack<Job>::pop");
    expect_elided("Cache<std::pair<int, double>, std::mutex>::get", "Cache<…>::get");
}

static void damaged_names(void **state)
{
    (void)state;
    char deep[4096];
    memset(deep, '<', sizeof deep);
    deep[sizeof deep - 1] = 0;
    struct buffer out = {0};
    add_short_name(&out, deep);
    buffer_release(&out);
    expect_short("", "");
    expect_short("a<b", "a<b");
    expect_short("a>", "a>");
    expect_short("f(", "f(");
    expect_short("<lambda(int)>", "<lambda(int)>");
    expect_short("std::__invoke<main()::<lambda(int, char)> >",
                 "std::__invoke<main()::<lambda(int, char)>>");
    expect_elided("std::__invoke<main()::<lambda(int, char)> >::call",
                  "std::__invoke<…>::call");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_arguments),
        cmocka_unit_test(operators),
        cmocka_unit_test(long_arguments),
        cmocka_unit_test(damaged_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
