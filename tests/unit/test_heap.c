/* The heap against a plain list of blocks: addresses, checks, contents, results of free, over
 * many executions. The heap is one per process, so the tests share it and run in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/memory/heap.h"
#include "runtime/memory/heap_private.h"

#define THREADS    3
#define BLOCKS_MAX 4000

static uint64_t seed = 1;

static uint32_t draw_below(uint32_t bound)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 16) % bound);
}

/* ---- the model: every block of the execution, freed ones too ---- */

struct model_block {
    uint64_t base;
    uint64_t size;
    int tid;
    uint32_t number;
    int freed_by;
    uint64_t allocated_at;
    bool old;
};

static struct model_block model[BLOCKS_MAX];
static int nmodel;
static uint32_t allocations[THREADS];

static void model_add(void *block, size_t size, int tid, uint64_t pc)
{
    assert_non_null(block);
    assert_true(nmodel < BLOCKS_MAX);
    model[nmodel++] =
        (struct model_block){(uint64_t)block, size, tid, ++allocations[tid], -1, pc, false};
}

static int model_check(uint64_t address, size_t size)
{
    for (int i = 0; i < nmodel; i++) {
        const struct model_block *b = &model[i];
        if (address >= b->base && address + size <= b->base + b->size)
            return b->freed_by < 0 ? HEAP_OK : HEAP_USE_AFTER_FREE;
    }
    return -1;
}

static bool is_start(uint64_t address)
{
    for (int i = 0; i < nmodel; i++)
        if (model[i].base == address)
            return true;
    return false;
}

static size_t random_size(void)
{
    switch (draw_below(8)) {
    case 0:
        return draw_below(3);
    case 1:
        return 1 + draw_below(5000);
    case 2:
        return draw_below(20) == 0 ? 60000 + draw_below(200000) : 16;
    default:
        return 1 + draw_below(200);
    }
}

static void expect_contents(const unsigned char *data, size_t size, bool zero)
{
    static const unsigned char pattern[] = {0x0d, 0xf0, 0xad, 0xba};
    for (size_t i = 0; i < size; i++)
        if (data[i] != (zero || size > 65536 ? 0 : pattern[i % 4]))
            fail_msg("byte %zu of %zu is %02x", i, size, data[i]);
}

static void do_alloc(void)
{
    int tid = (int)draw_below(THREADS);
    size_t size = random_size();
    size_t align = draw_below(6) ? 0 : (size_t)1 << draw_below(14);
    bool zero = draw_below(3) == 0;
    uint64_t pc = seed;
    unsigned char *data = heap_alloc(tid, size, align, zero, pc);
    assert_int_equal((uint64_t)data % (align > 16 ? align : 16), 0);
    assert_int_equal(heap_usable_size(data), size);
    expect_contents(data, size, zero);
    memset(data, 0x77, size);
    for (int i = 0; i < nmodel; i++) /* nothing overlaps, with a gap on both sides */
        assert_true((uint64_t)data >= model[i].base + model[i].size + 16 ||
                    (uint64_t)data + size + 16 <= model[i].base);
    model_add(data, size, tid, pc);
}

static void do_free(void)
{
    struct model_block *b = &model[draw_below((uint32_t)nmodel)];
    int tid = (int)draw_below(THREADS);
    uint64_t pointer = b->base;
    if (draw_below(8) == 0) {
        pointer += 1 + draw_below(100);
        if (!is_start(pointer))
            assert_int_equal(heap_free(tid, (void *)pointer, 7), HEAP_INVALID_FREE);
        return;
    }
    int expected = b->freed_by < 0 ? HEAP_OK : HEAP_DOUBLE_FREE;
    assert_int_equal(heap_free(tid, (void *)pointer, 7), expected);
    if (expected == HEAP_OK)
        b->freed_by = tid;
    assert_int_equal(heap_usable_size((void *)pointer), 0);
}

static void do_realloc(void)
{
    struct model_block *b = &model[draw_below((uint32_t)nmodel)];
    int tid = (int)draw_below(THREADS), result;
    size_t size = 1 + random_size();
    size_t kept = size < b->size ? size : b->size;
    bool live = b->freed_by < 0;
    if (live)
        memset((void *)b->base, 0x55, b->size);
    unsigned char *moved = heap_realloc(tid, (void *)b->base, size, 9, &result);
    assert_int_equal(result, live ? HEAP_OK : HEAP_DOUBLE_FREE);
    if (!live) {
        assert_null(moved);
        return;
    }
    for (size_t i = 0; i < kept; i++)
        assert_int_equal(moved[i], 0x55);
    b->freed_by = tid;
    model_add(moved, size, tid, 9);
}

static void do_check(void)
{
    const struct model_block *b = &model[draw_below((uint32_t)nmodel)];
    uint64_t address = b->base - 20 + draw_below((uint32_t)b->size + 40);
    size_t size = draw_below(4) ? (size_t)1 << draw_below(5) : 1 + draw_below(300);
    int expected = model_check(address, size);
    int got = heap_check(address, size);
    if (expected >= 0)
        assert_int_equal(got, expected);
    else
        assert_int_not_equal(got, HEAP_OK);
    /* directly behind and before a live block */
    if (b->freed_by < 0) {
        assert_int_equal(heap_check(b->base + b->size, 1), HEAP_OUT_OF_BOUNDS);
        assert_int_equal(heap_check(b->base, b->size + 1), HEAP_OUT_OF_BOUNDS);
        assert_int_not_equal(heap_check(b->base - 1, 1), HEAP_OK);
    }
}

static void do_describe(void)
{
    const struct model_block *b = &model[draw_below((uint32_t)nmodel)];
    struct board_block found;
    assert_true(heap_block(b->base + draw_below((uint32_t)b->size + 1), &found));
    assert_int_equal(found.base, b->base);
    assert_int_equal(found.size, b->size);
    assert_int_equal(found.tid, b->tid);
    assert_int_equal(found.number, b->number);
    assert_int_equal(found.freed_by, b->freed_by);
    assert_int_equal(found.allocated.pc[0], b->allocated_at);
}

static void random_operations(int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t what = draw_below(10);
        if (nmodel == 0 || what < 3)
            do_alloc();
        else if (what < 5)
            do_free();
        else if (what == 5)
            do_realloc();
        else if (what == 6)
            do_describe();
        else
            do_check();
    }
}

static int leaks_found;

static void count_leak(const struct board_block *block, void *context)
{
    (void)context;
    for (int i = 0; i < nmodel; i++)
        if (model[i].base == block->base) {
            assert_false(model[i].old);
            assert_int_equal(model[i].freed_by, -1);
            leaks_found++;
            return;
        }
    fail_msg("leak of an unknown block");
}

static void check_leaks(void)
{
    int expected = 0;
    for (int i = 0; i < nmodel; i++)
        expected += model[i].freed_by < 0 && !model[i].old;
    leaks_found = 0;
    heap_leaks(count_leak, NULL);
    assert_int_equal(leaks_found, expected);
}

static uint64_t range_bytes;

static void check_range(uint64_t low, uint64_t high, void *context)
{
    (void)context;
    assert_int_equal(low % 4096, 0);
    assert_int_equal(high % 4096, 0);
    range_bytes += high - low;
    for (int i = 0; i < nmodel; i++)
        if (model[i].base >= low && model[i].base < high) {
            assert_true(model[i].base + model[i].size <= high);
            model[i].old = true;
        }
}

static void count_block(const struct board_block *block, void *count)
{
    (void)block;
    ++*(int *)count;
}

/* A checkpoint: what exists there is live in the next executions, at the same addresses, also
 * what an execution frees; after heap_go_back() none of it is. Addresses after heap_settle() do
 * not depend on whether there is a checkpoint. */
static void test_checkpoint(void **state)
{
    (void)state;
    uint64_t low, high;
    heap_begin();
    heap_alloc(0, 40, 0, false, 1);
    heap_settle();
    uint64_t expected = (uint64_t)(uintptr_t)heap_alloc(0, 24, 0, false, 1);
    heap_begin();
    char *kept = heap_alloc(0, 40, 0, false, 1);
    heap_settle();
    assert_true(heap_advance(&low, &high));
    assert_true((uint64_t)(uintptr_t)kept >= low && (uint64_t)(uintptr_t)kept + 40 <= high);
    for (int execution = 0; execution < 3; execution++) {
        heap_begin();
        assert_int_equal(heap_check((uint64_t)(uintptr_t)kept, 40), HEAP_OK);
        assert_int_equal(heap_check((uint64_t)(uintptr_t)kept + 40, 1), HEAP_OUT_OF_BOUNDS);
        assert_int_equal((uint64_t)(uintptr_t)heap_alloc(0, 24, 0, false, 1), expected);
        int leaks = 0;
        heap_leaks(count_block, &leaks);
        assert_int_equal(leaks, 2);
        assert_int_equal(heap_free(0, kept, 1), HEAP_OK);
    }
    heap_go_back();
    heap_begin();
    assert_int_not_equal(heap_check((uint64_t)(uintptr_t)kept, 1), HEAP_OK);
    assert_ptr_equal(heap_alloc(0, 40, 0, false, 1), kept);
}

/* Before the snapshot, then executions from it: all against the model. */
static void test_against_model(void **state)
{
    (void)state;
    random_operations(600);
    heap_snapshot();
    heap_snapshot_ranges(check_range, NULL);
    assert_true(range_bytes > 0);
    for (int i = 0; i < nmodel; i++)
        assert_true(model[i].old);
    static struct model_block initial[BLOCKS_MAX];
    uint32_t initial_allocations[THREADS];
    int ninitial = nmodel;
    memcpy(initial, model, sizeof model);
    memcpy(initial_allocations, allocations, sizeof allocations);
    for (int execution = 0; execution < 300; execution++) {
        /* a few of them across the end of the stamps */
        if (execution == 100)
            HEAP->hot.stamp = UINT32_C(0) - 256 * 20;
        heap_begin();
        memcpy(model, initial, sizeof model);
        memcpy(allocations, initial_allocations, sizeof allocations);
        nmodel = ninitial;
        check_leaks();
        for (int i = 0; i < nmodel; i++)
            if (model[i].freed_by < 0)
                assert_int_equal(heap_check(model[i].base, model[i].size), HEAP_OK);
        random_operations(400);
        check_leaks();
    }
}

/* The k-th allocation of a thread lies where it lay, whatever the others do meanwhile. */
static void test_addresses_do_not_depend_on_schedule(void **state)
{
    (void)state;
    void *expected[20];
    for (int execution = 0; execution < 50; execution++) {
        heap_begin();
        for (int k = 0; k < 20; k++) {
            for (uint32_t n = draw_below(4); n > 0; n--) {
                int other = 1 + (int)draw_below(2);
                heap_free(0, heap_alloc(other, random_size(), 0, false, 0), 0);
            }
            void *block = heap_alloc(0, 10 + (size_t)k * 7, 0, false, 0);
            if (execution == 0)
                expected[k] = block;
            assert_ptr_equal(block, expected[k]);
        }
    }
}

static void test_stale_memory_is_unallocated(void **state)
{
    (void)state;
    heap_begin();
    char *block = heap_alloc(1, 100, 0, false, 0);
    assert_int_equal(heap_check((uint64_t)block, 100), HEAP_OK);
    heap_begin();
    assert_int_equal(heap_check((uint64_t)block, 1), HEAP_UNALLOCATED);
    assert_int_equal(heap_free(0, block, 0), HEAP_INVALID_FREE);
    assert_int_equal(heap_check(HEAP_BASE + 400 * HEAP_ARENA, 8), HEAP_UNALLOCATED);
    assert_int_equal(heap_check(0x1000, 8), HEAP_OK);
    int on_stack;
    assert_int_equal(heap_free(0, &on_stack, 0), HEAP_INVALID_FREE);
    assert_int_equal(heap_free(0, NULL, 0), HEAP_OK);
}

/* After 2^24 executions a stamp comes back: words that carried it must be gone. */
static void test_stamps_start_again(void **state)
{
    (void)state;
    char *block = NULL;
    for (int round = 0; round < 2; round++) {
        HEAP->hot.stamp = UINT32_C(0) - 256;
        heap_begin();
        if (round == 0)
            block = heap_alloc(1, 100, 0, false, 0);
        assert_int_equal(heap_check((uint64_t)block, 100),
                         round == 0 ? HEAP_OK : HEAP_UNALLOCATED);
    }
}

static void test_trampled_header_does_no_harm(void **state)
{
    (void)state;
    heap_begin();
    char *first = heap_alloc(0, 24, 0, false, 0);
    char *second = heap_alloc(0, 24, 0, false, 0);
    memset(second - 16, 0, 16); /* what an uninstrumented overflow would do */
    assert_int_equal(heap_free(0, second, 0), HEAP_OK);
    assert_int_equal(heap_free(0, second, 0), HEAP_DOUBLE_FREE);
    assert_int_equal(heap_free(0, first, 0), HEAP_OK);
    struct board_block found;
    assert_true(heap_block((uint64_t)second - 4, &found)); /* second[-4] is second's */
    assert_ptr_equal((void *)found.base, second);
}

static void test_absurd_sizes(void **state)
{
    (void)state;
    int result;
    heap_begin();
    assert_null(heap_alloc(0, SIZE_MAX, 0, false, 0));
    assert_null(heap_alloc(0, HEAP_ARENA, 0, false, 0));
    assert_null(heap_alloc(0, 16, (size_t)1 << 40, false, 0));
    void *block = heap_alloc(0, 10, 0, false, 0);
    assert_null(heap_realloc(0, block, SIZE_MAX - 5, 0, &result));
    assert_int_equal(heap_usable_size(block), 10);
    assert_null(heap_realloc(0, block, 0, 0, &result));
    assert_int_equal(result, HEAP_OK);
    assert_int_equal(heap_free(0, block, 0), HEAP_DOUBLE_FREE);
}

/* No reuse below the limit; past it, the block that was freed first of its size. */
static void test_reuse_is_late_and_in_order(void **state)
{
    (void)state;
    heap_begin();
    char *first = heap_alloc(0, 4000, 0, false, 0);
    char *second = heap_alloc(0, 4000, 0, false, 0);
    char *kept = heap_alloc(0, 4000, 0, false, 0);
    heap_free(1, second, 0);
    heap_free(0, first, 0);
    assert_true((char *)heap_alloc(0, 4000, 0, false, 0) > kept);
    uint64_t handed_out = 0;
    while (handed_out < HEAP_REUSE_AFTER) {
        heap_alloc(0, 32 << 20, 0, false, 0); /* untouched: costs addresses only */
        handed_out += 32 << 20;
    }
    char *fresh = heap_alloc(0, 100, 0, false, 0);
    assert_true(fresh > kept);
    assert_ptr_equal(heap_alloc(0, 4000, 0, true, 0), second);
    expect_contents((unsigned char *)second, 4000, true);
    assert_int_equal(heap_check((uint64_t)second, 4000), HEAP_OK);
    assert_ptr_equal(heap_alloc(0, 3990, 0, false, 0), first);
    assert_int_equal(heap_check((uint64_t)first, 3991), HEAP_OUT_OF_BOUNDS);
    assert_true((char *)heap_alloc(0, 4000, 0, false, 0) > fresh);
    heap_begin();
    assert_ptr_equal(heap_alloc(0, 4000, 0, false, 0), first);
    assert_ptr_equal(heap_alloc(0, 4000, 0, false, 0), second);
}

static uint32_t fake_stack(struct board_stack *stack)
{
    static uint64_t calls;
    stack->depth = 2;
    stack->pc[0] = ++calls;
    stack->pc[1] = 1000;
    return 2000 + (uint32_t)calls;
}

static void test_record_mode_keeps_stacks(void **state)
{
    (void)state;
    heap_begin();
    heap_stack = fake_stack;
    char *a = heap_alloc(0, 8, 0, false, 5);
    char *b = heap_alloc(0, 8, 0, false, 5);
    heap_free(1, a, 6);
    heap_stack = NULL;
    struct board_block found;
    assert_true(heap_block((uint64_t)a, &found));
    assert_int_equal(found.allocated.depth, 2);
    assert_int_equal(found.allocated.pc[0], 1);
    assert_int_equal(found.freed.pc[0], 3);
    assert_int_equal(found.freed_by, 1);
    assert_int_equal(found.freed_event, 2003);
    assert_true(heap_block((uint64_t)b, &found));
    assert_int_equal(found.allocated.pc[0], 2);
    assert_int_equal(found.freed.depth, 0);
    assert_int_equal(found.freed_event, UINT32_MAX);
}

static void test_every_slot_has_an_arena(void **state)
{
    (void)state;
    heap_begin();
    for (int tid = 0; tid < THREADS_MAX; tid++) {
        char *block = heap_alloc(tid, 40, 0, false, 0);
        assert_true(heap_contains((uint64_t)block));
        assert_int_equal(((uint64_t)block - HEAP_BASE) / HEAP_ARENA, tid);
        assert_int_equal(heap_check((uint64_t)block, 40), HEAP_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_model),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_addresses_do_not_depend_on_schedule),
        cmocka_unit_test(test_stale_memory_is_unallocated),
        cmocka_unit_test(test_stamps_start_again),
        cmocka_unit_test(test_trampled_header_does_no_harm),
        cmocka_unit_test(test_absurd_sizes),
        cmocka_unit_test(test_reuse_is_late_and_in_order),
        cmocka_unit_test(test_record_mode_keeps_stacks),
        cmocka_unit_test(test_every_slot_has_an_arena),
    };
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
