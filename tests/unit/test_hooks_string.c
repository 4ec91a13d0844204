/* The memory and string hooks: the same results as libc's functions, and accesses that are
 * exactly the bytes that the call may touch. The hooks are compiled into this file under other
 * names; access_read() and access_write() write a list. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#define RAWMEM_KEEP_NAMES
#include "runtime/core/runtime.h"

#define memcpy         hooked_memcpy
#define memmove        hooked_memmove
#define mempcpy        hooked_mempcpy
#define bcopy          hooked_bcopy
#define memset         hooked_memset
#define bzero          hooked_bzero
#define explicit_bzero hooked_explicit_bzero
#define memcmp         hooked_memcmp
#define bcmp           hooked_bcmp
#define memchr         hooked_memchr
#define memrchr        hooked_memrchr
#define memccpy        hooked_memccpy
#define strlen         hooked_strlen
#define strnlen        hooked_strnlen
#define strcpy         hooked_strcpy
#define stpcpy         hooked_stpcpy
#define strncpy        hooked_strncpy
#define stpncpy        hooked_stpncpy
#define strcat         hooked_strcat
#define strncat        hooked_strncat
#define strcmp         hooked_strcmp
#define strncmp        hooked_strncmp
#define strchr         hooked_strchr
#define strchrnul      hooked_strchrnul
#define strrchr        hooked_strrchr
#define strstr         hooked_strstr
#define strdup         hooked_strdup
#define strndup        hooked_strndup
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "../../src/runtime/memory/rawmem.c"
#include "../../src/runtime/access/caller.c"
#include "../../src/runtime/hooks/libc/string.c"
#pragma GCC diagnostic pop
#undef memcpy
#undef memmove
#undef mempcpy
#undef memset
#undef memcmp
#undef memchr
#undef memrchr
#undef memccpy
#undef strlen
#undef strnlen
#undef strcpy
#undef stpcpy
#undef strncpy
#undef stpncpy
#undef strcat
#undef strncat
#undef strcmp
#undef strncmp
#undef strchr
#undef strchrnul
#undef strrchr
#undef strstr

struct runtime rt;
struct calls_up calls_up; /* only called while a trial looks ahead, which no test here does */

/* ---- what the hooks report ---- */

struct noted {
    char kind; /* r, w: with races; c, C: heap check of a read, of a write */
    uint64_t address;
    uint64_t size;
};

static struct noted noted[8];
static int nnoted;

static void note(char kind, uint64_t address, uint64_t size)
{
    assert_true(nnoted < 8);
    noted[nnoted++] = (struct noted){kind, address, size};
}

void access_read_picked(uint64_t address, uint64_t size, uint64_t pc)
{
    assert_true(pc != 0);
    note('r', address, size);
}

void access_write_picked(uint64_t address, uint64_t size, uint64_t pc)
{
    assert_true(pc != 0);
    note('w', address, size);
}

/* Only asked with --races=explore; tests/programs has that. */
bool access_is_racing(uint64_t address)
{
    return address == 0;
}

struct op access_operation(uint64_t size, uint64_t pc)
{
    return (struct op){.size = (uint8_t)size, .pc = pc};
}

void access_add_operand(struct op *op, uint64_t address, uint64_t size, bool write)
{
    (void)op;
    (void)address;
    (void)size;
    (void)write;
    fail();
}

bool access_point(struct op *op)
{
    (void)op;
    fail();
    return false;
}

void failure_uncontrolled(const char *name)
{
    (void)name;
    fail();
}

/* Only asked where rt.asan. */
void asan_access(const void *address, size_t size, bool write)
{
    (void)address;
    (void)size;
    (void)write;
    fail();
}

void race_use(int tid, uint64_t address, size_t size, uint64_t pc)
{
    (void)tid;
    assert_true(pc != 0);
    note('U', address, size);
}

void race_atomic_store(int tid, uint64_t address, size_t size, int order, uint64_t pc)
{
    (void)tid, (void)order;
    assert_true(pc != 0);
    note('G', address, size);
}

void access_check(uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    assert_true(pc != 0);
    note(write ? 'C' : 'c', address, size);
}

/* The call made exactly this access (and no more than `count` altogether). */
static void expect(char kind, const void *address, size_t size, int count)
{
    assert_int_equal(nnoted, count);
    for (int i = 0; i < nnoted; i++)
        if (noted[i].kind == kind && noted[i].address == (uint64_t)(uintptr_t)address &&
            noted[i].size == size)
            return;
    fail_msg("no access %c of %zu bytes", kind, size);
}

/* ---- random texts over a small alphabet, at all alignments ---- */

static uint64_t seed = 7;

static uint32_t draw_below(uint32_t bound)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 16) % bound);
}

#define ROOM 192
static char left[ROOM], right[ROOM], target[ROOM], expected[ROOM];

static char *random_text(char *room, uint32_t longest)
{
    char *text = room + draw_below(16);
    uint32_t length = draw_below(longest);
    for (uint32_t i = 0; i < length; i++)
        text[i] = (char)(draw_below(8) ? 'a' + (int)draw_below(2) : (int)0xe9);
    text[length] = 0;
    return text;
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t common_prefix(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return i;
}

static void fresh_targets(void)
{
    for (int i = 0; i < ROOM; i++)
        target[i] = expected[i] = (char)draw_below(256);
    nnoted = 0;
}

static void expect_same_target(void)
{
    assert_memory_equal(target, expected, ROOM);
    nnoted = 0;
}

static void check_copies(const char *a, size_t limit)
{
    size_t length = strlen(a), offset = draw_below(16);
    char *to = target + offset, *to_expected = expected + offset;
    fresh_targets();
    assert_ptr_equal(hooked_memcpy(to, a, limit), to);
    memcpy(to_expected, a, limit);
    if (limit) {
        expect('r', a, limit, 2);
        expect('w', to, limit, 2);
    }
    expect_same_target();
    assert_ptr_equal(hooked_strcpy(to, a), to);
    strcpy(to_expected, a);
    expect('r', a, length + 1, 2);
    expect('w', to, length + 1, 2);
    expect_same_target();
    assert_int_equal(hooked_stpncpy(to, a, limit) - to,
                     stpncpy(to_expected, a, limit) - to_expected);
    if (limit) {
        expect('r', a, smaller(length + 1, limit), 2);
        expect('w', to, limit, 2);
    }
    expect_same_target();
    char *end = hooked_memccpy(to, a, 'b', limit);
    char *end_expected = memccpy(to_expected, a, 'b', limit);
    assert_int_equal(end ? end - to : -1, end_expected ? end_expected - to_expected : -1);
    expect_same_target();
    assert_ptr_equal(hooked_memset(to, 5, limit), to);
    memset(to_expected, 5, limit);
    if (limit)
        expect('w', to, limit, 1);
    expect_same_target();
    /* overlapping */
    size_t from = draw_below(40), into = draw_below(40);
    hooked_memmove(target + into, target + from, limit);
    memmove(expected + into, expected + from, limit);
    expect_same_target();
}

static void check_appends(const char *a, const char *b, size_t limit)
{
    size_t old = strlen(a), added = smaller(strlen(b), limit);
    fresh_targets();
    strcpy(target, a);
    strcpy(expected, a);
    assert_ptr_equal(hooked_strncat(target, b, limit), target);
    strncat(expected, b, limit);
    int count = limit ? 3 : 2;
    expect('r', target, old + 1, count);
    expect('w', target + old, added + 1, count);
    expect_same_target();
    hooked_strcat(target, b);
    strcat(expected, b);
    expect_same_target();
}

static void check_comparisons(const char *a, const char *b, size_t limit)
{
    size_t decides = common_prefix(a, b) + 1;
    nnoted = 0;
    assert_int_equal(sign(hooked_strcmp(a, b)), sign(strcmp(a, b)));
    expect('r', a, decides, 2);
    expect('r', b, decides, 2);
    nnoted = 0;
    assert_int_equal(sign(hooked_strncmp(a, b, limit)), sign(strncmp(a, b, limit)));
    if (limit)
        expect('r', b, smaller(decides, limit), 2);
    nnoted = 0;
    size_t size = smaller(limit, smaller(strlen(a), strlen(b)));
    assert_int_equal(sign(hooked_memcmp(a, b, size)), sign(memcmp(a, b, size)));
    if (size)
        expect('r', a, size, 2);
    nnoted = 0;
}

static void check_searches(const char *a, const char *b, size_t limit)
{
    static const int wanted[] = {'a', 'b', 0xe9, 'x', 0};
    int c = wanted[draw_below(5)];
    size_t length = strlen(a);
    const char *found = strchr(a, c);
    nnoted = 0;
    assert_int_equal(hooked_strlen(a), length);
    expect('r', a, length + 1, 1);
    nnoted = 0;
    assert_int_equal(hooked_strnlen(a, limit), strnlen(a, limit));
    nnoted = 0;
    assert_ptr_equal(hooked_strchr(a, c), found);
    expect('r', a, found ? (size_t)(found - a) + 1 : length + 1, 1);
    nnoted = 0;
    assert_ptr_equal(hooked_strchrnul(a, c), strchrnul(a, c));
    nnoted = 0;
    assert_ptr_equal(hooked_strrchr(a, c), strrchr(a, c));
    expect('r', a, length + 1, 1);
    nnoted = 0;
    found = memchr(a, c, length);
    assert_ptr_equal(hooked_memchr(a, c, length), found);
    if (length)
        expect('r', a, found ? (size_t)(found - a) + 1 : length, 1);
    nnoted = 0;
    assert_ptr_equal(hooked_memrchr(a, c, length), memrchr(a, c, length));
    nnoted = 0;
    assert_ptr_equal(hooked_strstr(a, b), strstr(a, b));
    nnoted = 0;
}

static void test_like_libc(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        const char *a = random_text(left, 60);
        const char *b = random_text(right, draw_below(3) ? 40 : 3);
        size_t limit = draw_below(50);
        check_copies(a, limit);
        check_appends(a, b, limit);
        check_comparisons(a, b, limit);
        check_searches(a, b, limit);
    }
}

static void test_duplicates_are_heap_blocks(void **state)
{
    (void)state;
    nnoted = 0;
    char *copy = hooked_strndup("hello", 3);
    assert_string_equal(copy, "hel");
    assert_int_equal(heap_usable_size(copy), 4);
    expect('w', copy, 4, 2);
    struct board_block block;
    assert_true(heap_block((uint64_t)(uintptr_t)copy, &block));
    assert_int_not_equal(block.allocated.pc[0], 0);
}

/* A caller whose atomics are invisible gets the heap check only; off control nothing is done.
 */
static void test_who_counts(void **state)
{
    (void)state;
    struct address_range range = counted.range[0];
    nnoted = 0;
    counted.range[0] = caller_module = (struct address_range){1, 2};
    hooked_strcpy(target, "x");
    expect('C', target, 2, 2);
    counted.range[0] = range;
    nnoted = 0;
    rt.on = false;
    hooked_strcpy(target, "y");
    assert_int_equal(nnoted, 0);
    assert_string_equal(target, "y");
    rt.on = true;
}

/* This file is the one module with instrumented code. */
static int start(void **state)
{
    (void)state;
    static struct board board;
    rt.board = &board;
    rt.instrumented[0] = (struct address_range){1, UINT64_MAX};
    rt.ninstrumented = 1;
    rt.on = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_libc),
        cmocka_unit_test(test_duplicates_are_heap_blocks),
        cmocka_unit_test(test_who_counts),
    };
    return cmocka_run_group_tests_name("hooks_string", tests, start, NULL);
}
