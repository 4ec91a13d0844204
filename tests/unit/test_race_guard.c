/* Which accesses may race on some way to a state: locks, creation and joining, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/race/race.h"
#include "runtime/race/race_guard.h"

enum { READ, WRITE, ATOMIC_READ, ATOMIC_WRITE }; /* enum race_kind */

#define X UINT64_C(0x10007fff8ff0)
#define M UINT64_C(0x20007fff8000)

static void fail_at_report(const struct race_pair *pair)
{
    (void)pair;
    fail();
}

/* main makes 1 and 2, thread 1 makes 3 */
static int parent_of(int tid)
{
    static const int parents[] = {-1, 0, 0, 1};
    return parents[tid];
}

static struct race_holding held;

static void enter(struct race_holding *holding)
{
    *holding = held;
    holding->was_on = true;
}

static int left;

static void leave(const struct race_holding *holding)
{
    left += holding->was_on;
}

static struct pool *pool;

static void start(void)
{
    if (pool)
        pool_destroy_private(pool);
    pool = pool_create_private((size_t)1 << 26);
    memset(&held, 0, sizeof held);
    race_guard_enter = enter;
    race_guard_leave = leave;
    left = 0;
    race_begin();
    race_guard_start(pool);
}

static void hold(uint64_t lock, bool shared)
{
    held.nlocks = lock != 0;
    held.lock[0] = lock;
    held.shared[0] = shared;
}

static void beside(int child)
{
    threadset_clear(&held.children);
    if (child)
        threadset_add(&held.children, child);
}

static bool guarded(void)
{
    return race_guarded(4, parent_of);
}

static void what_conflicts(void **state)
{
    (void)state;
    static const struct {
        int a, b;
        bool guarded;
    } pairs[] = {
        {READ, READ, true},          {READ, WRITE, false},
        {WRITE, WRITE, false},       {ATOMIC_WRITE, ATOMIC_WRITE, true},
        {ATOMIC_READ, WRITE, false}, {ATOMIC_WRITE, READ, false},
        {ATOMIC_READ, READ, true},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int swap = 0; swap < 2; swap++) {
            start();
            race_guard_touch(1, swap ? pairs[i].b : pairs[i].a, X, 4);
            assert_true(guarded());
            race_guard_touch(2, swap ? pairs[i].a : pairs[i].b, X, 4);
            assert_int_equal(guarded(), pairs[i].guarded);
        }
    start();
    race_guard_touch(1, WRITE, X, 4);
    race_guard_touch(2, WRITE, X + 4, 4); /* the other half of the word */
    race_guard_touch(1, WRITE, X, 4);
    assert_true(guarded());
    race_guard_touch(2, WRITE, X + 3, 1);
    assert_false(guarded());
    assert_int_equal(left, 4);
}

static void a_lock_that_is_always_held(void **state)
{
    (void)state;
    start();
    hold(M, false);
    race_guard_touch(1, WRITE, X, 4);
    race_guard_touch(2, WRITE, X, 4);
    assert_true(guarded());
    hold(M + 64, false);
    race_guard_touch(2, READ, X, 4);
    assert_false(guarded());
}

/* Also where another execution did without it. */
static void read_locks_do_not_exclude_each_other(void **state)
{
    (void)state;
    start();
    hold(M, true);
    race_guard_touch(1, READ, X, 4);
    hold(M, false);
    race_guard_touch(2, WRITE, X, 4);
    assert_true(guarded());
    hold(M, true);
    race_guard_touch(2, WRITE, X, 4);
    assert_false(guarded());
}

static void a_lock_that_becomes_another(void **state)
{
    (void)state;
    for (int concurrent = 0; concurrent < 2; concurrent++) {
        start();
        if (concurrent)
            race_thread_create(0, 1);
        race_forget(M);
        hold(M, false);
        race_guard_touch(1, WRITE, X, 4);
        race_guard_touch(2, WRITE, X, 4);
        assert_int_equal(guarded(), !concurrent);
    }
}

static void before_creation_and_after_joining(void **state)
{
    (void)state;
    start();
    race_guard_touch(0, WRITE, X, 4); /* before 1 and 2 are there, and after they have gone */
    beside(2);
    race_guard_touch(0, READ, X, 4); /* beside 2 alone */
    race_guard_touch(1, WRITE, X, 4);
    race_guard_touch(3, READ, X + 8, 4); /* a child of 1 */
    race_guard_touch(0, WRITE, X + 8, 4);
    assert_true(guarded());
    race_guard_touch(2, WRITE, X, 4);
    assert_false(guarded()); /* 1 and 2 are brothers, and 2 was there when main read */
    start();
    beside(1);
    race_guard_touch(0, WRITE, X, 4);
    assert_true(guarded());
    race_guard_touch(3, READ, X, 4);
    assert_false(guarded());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_conflicts),
        cmocka_unit_test(a_lock_that_is_always_held),
        cmocka_unit_test(read_locks_do_not_exclude_each_other),
        cmocka_unit_test(a_lock_that_becomes_another),
        cmocka_unit_test(before_creation_and_after_joining),
    };
    race_init();
    race_report = fail_at_report;
    return cmocka_run_group_tests_name("race guard", tests, NULL, NULL);
}
