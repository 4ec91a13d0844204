/* The data structures under the searches, each against a plain reference model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/pool.h"
#include "base/spill.h"
#include "base/table.h"
#include "base/threadset.h"
#include "base/vector.h"
#include "explore/world/distinct.h"
#include "explore/world/op.h"

#define POOL_SIZE ((size_t)1 << 30)

/* Blocks are zero, aligned, disjoint and keep their contents, through frees and growth. */
static void pool_blocks_are_zero_and_disjoint(void **state)
{
    (void)state;
    enum { BLOCKS = 200 };
    struct pool *pool = pool_create_private(POOL_SIZE);
    unsigned char *block[BLOCKS] = {0};
    size_t size[BLOCKS] = {0};
    uint64_t random = 1;
    for (int round = 0; round < 20000; round++) {
        int i = (int)random_below(&random, BLOCKS);
        size_t wanted = (size_t)random_below(&random, 700) + 1;
        for (size_t k = 0; k < size[i]; k++)
            assert_int_equal(block[i][k], i);
        size_t kept = 0;
        if (random_below(&random, 2) && wanted >= size[i]) {
            kept = size[i];
            block[i] = pool_grow(pool, block[i], size[i], wanted);
        } else {
            pool_free(pool, block[i], size[i]);
            block[i] = pool_alloc(pool, wanted);
        }
        assert_int_equal((uintptr_t)block[i] % 16, 0);
        for (size_t k = kept; k < wanted; k++)
            assert_int_equal(block[i][k], 0);
        size[i] = wanted;
        memset(block[i], i, wanted);
    }
    size_t used = pool_used(pool);
    assert_in_range(used, 1, BLOCKS * 1024);
    for (int i = 0; i < BLOCKS; i++)
        pool_free(pool, block[i], size[i]);
    assert_int_equal(pool_used(pool), 0);
    pool_destroy_private(pool);
}

static jmp_buf exhausted_jump;

/* Can a pool be created, and as much again be mapped, with `room` left of the address space? */
static bool leaves_room(rlim_t room)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (!file || fscanf(file, "%lu", &pages) != 1)
        return false;
    fclose(file);
    rlim_t limit = pages * 4096 + room;
    if (setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) != 0)
        return false;
    struct pool *pool = pool_create_private(POOL_SIZE);
    return pool &&
           mmap(NULL, room / 3, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

/* Where the limit is a little more than a power of two, too. */
static void pool_leaves_address_space_for_others(void **state)
{
    (void)state;
    static const rlim_t megabytes[] = {300, 520, 700, 1030, 1100};
    for (size_t i = 0; i < sizeof megabytes / sizeof *megabytes; i++) {
        int status;
        pid_t child = fork();
        if (child == 0)
            _exit(leaves_room(megabytes[i] << 20) ? 0 : 1);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

static void note_exhausted(struct pool *pool, size_t wanted)
{
    (void)pool;
    assert_int_equal(wanted, 4096);
    longjmp(exhausted_jump, 1);
}

static void pool_says_when_it_is_full(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(1 << 16);
    void (*before)(struct pool *, size_t) = pool_exhausted;
    volatile int blocks = 0;
    pool_exhausted = note_exhausted;
    if (setjmp(exhausted_jump) == 0)
        for (;; blocks++)
            pool_alloc(pool, 4096);
    pool_exhausted = before;
    assert_int_equal(blocks, 15);
    pool_destroy_private(pool);
}

static void table_is_a_map(void **state)
{
    (void)state;
    enum { KEYS = 3000 };
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct table table;
    uint32_t model[KEYS] = {0};
    bool present[KEYS] = {0};
    uint64_t random = 2;
    uint32_t count = 0;
    table_init(&table, pool, sizeof(uint32_t));
    for (int round = 0; round < 20000; round++) {
        uint64_t key = random_below(&random, KEYS);
        uint64_t high = key % 3; /* 0, 0 is a key too */
        const uint32_t *found = table_get(&table, key, high);
        assert_int_equal(found != NULL, present[key]);
        if (found)
            assert_int_equal(*found, model[key]);
        bool fresh;
        uint32_t *value = table_put(&table, key, high, &fresh);
        assert_int_equal(fresh, !present[key]);
        assert_int_equal(*value, model[key]);
        count += fresh;
        present[key] = true;
        *value = model[key] = (uint32_t)round;
    }
    assert_int_equal(table.count, count);
    uint32_t cursor = 0, visited = 0;
    uint64_t key[2];
    while (table_next(&table, &cursor, key))
        visited++;
    assert_int_equal(visited, count);
    table_clear(&table);
    assert_null(table_get(&table, 5, 5 % 3));
    table_destroy(&table);
    assert_int_equal(pool_used(pool), 0);
    pool_destroy_private(pool);
}

static bool is_odd(const void *value)
{
    return *(const uint32_t *)value % 2 == 1;
}

static void table_drops_what_it_is_told_to(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(1 << 22);
    struct table table;
    table_init(&table, pool, sizeof(uint32_t));
    for (uint32_t round = 0; round < 40; round++) {
        const uint32_t from = round * 150, to = from + 300; /* half of them are there already */
        for (uint32_t key = from; key < to; key++)
            *(uint32_t *)table_put(&table, key * UINT64_C(0x9e3779b97f4a7c15), key % 5, NULL) =
                key;
        table_drop(&table, is_odd);
        uint32_t even = 0;
        for (uint32_t key = 0; key < to; key++) {
            const uint32_t *found =
                table_get(&table, key * UINT64_C(0x9e3779b97f4a7c15), key % 5);
            assert_int_equal(found != NULL, key % 2 == 0);
            if (found)
                assert_int_equal(*found, key);
            even += found != NULL;
        }
        assert_int_equal(table.count, even);
    }
    pool_destroy_private(pool);
}

static void stamped_table_forgets_at_once(void **state)
{
    (void)state;
    enum { KEYS = 200 };
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct table table;
    uint64_t random = 3;
    table_init_stamped(&table, pool, sizeof(uint64_t));
    for (int execution = 0; execution < 500; execution++) {
        uint64_t model[KEYS] = {0};
        uint32_t count = 0;
        for (int round = 0; round < 100; round++) {
            uint64_t key = random_below(&random, KEYS);
            bool fresh;
            uint64_t *value = table_put(&table, key, 0, &fresh);
            assert_int_equal(fresh, model[key] == 0);
            assert_int_equal(*value, model[key]);
            count += fresh;
            *value = model[key] = (uint64_t)round + 1;
        }
        assert_int_equal(table.count, count);
        table_clear(&table);
    }
    assert_in_range(table.capacity, 128, 512); /* executions leave nothing behind */
    pool_destroy_private(pool);
}

static void spilled_bytes_come_back_in_order(size_t limit)
{
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct spill spill;
    uint64_t random = 4, written = 0, read = 0;
    static uint8_t buffer[200000];
    spill_init(&spill, pool, limit);
    assert_true(spill.file >= 0);
    uint32_t most_in_memory = 0;
    for (int round = 0; round < 4000; round++) {
        bool filling = round < 1500 || (round > 2000 && round < 2600);
        size_t size = (size_t)random_below(&random, round % 100 == 0 ? sizeof buffer : 5000);
        if (filling || random_below(&random, 3) == 0) {
            for (size_t i = 0; i < size; i++)
                buffer[i] = (uint8_t)hash_mix(written++);
            spill_push(&spill, buffer, size);
        } else {
            bool enough = size <= written - read;
            assert_int_equal(spill_pop(&spill, buffer, size), enough);
            for (size_t i = 0; enough && i < size; i++)
                assert_int_equal(buffer[i], (uint8_t)hash_mix(read++));
        }
        assert_int_equal(spill_length(&spill), written - read);
        if (spill.in_memory > most_in_memory)
            most_in_memory = spill.in_memory;
    }
    assert_in_range(most_in_memory, 1, limit / SPILL_CHUNK + 3);
    spill_destroy(&spill);
    assert_int_equal(pool_used(pool), 0);
    pool_destroy_private(pool);
}

static void spill_is_a_queue(void **state)
{
    (void)state;
    spilled_bytes_come_back_in_order(2 * SPILL_CHUNK);
    spilled_bytes_come_back_in_order(16 * SPILL_CHUNK);
}

/* Places in the file are used again, by one chunk at a time. */
static void spill_reuses_its_file(void **state)
{
    (void)state;
    enum { QUEUED = 12, MOVED = 3 };
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct spill spill;
    static unsigned char chunk[SPILL_CHUNK], expected[SPILL_CHUNK];
    unsigned char pushed = 0, popped = 0;
    spill_init(&spill, pool, 2 * SPILL_CHUNK);
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < (round ? MOVED : QUEUED); i++) {
            memset(chunk, pushed++, sizeof chunk);
            spill_push(&spill, chunk, sizeof chunk);
        }
        for (int i = 0; i < MOVED; i++) {
            memset(expected, popped++, sizeof expected);
            assert_true(spill_pop(&spill, chunk, sizeof chunk));
            assert_memory_equal(chunk, expected, sizeof chunk);
        }
    }
    assert_true(spill.file_chunks < 2 * QUEUED);
    spill_destroy(&spill);
    pool_destroy_private(pool);
}

static void spill_notices_that_its_file_is_gone(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct spill spill;
    static uint8_t chunk[SPILL_CHUNK];
    spill_init(&spill, pool, 2 * SPILL_CHUNK);
    for (int i = 0; i < 8; i++)
        spill_push(&spill, chunk, sizeof chunk);
    close(spill.file);
    bool all = true;
    for (int i = 0; i < 8; i++)
        all &= spill_pop(&spill, chunk, sizeof chunk);
    assert_false(all);
    assert_true(spill.lost);
    assert_int_equal(spill_length(&spill), 0);
    pool_destroy_private(pool);
}

/* Another process has the memory, not the file: what was gathered is all there. */
static void spill_survives_without_its_file(void **state)
{
    (void)state;
    enum { CHUNKS = 10 };
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct spill spill;
    static unsigned char chunk[SPILL_CHUNK];
    spill_init(&spill, pool, 2 * SPILL_CHUNK);
    for (int i = 0; i < CHUNKS; i++) {
        memset(chunk, i, sizeof chunk);
        spill_push(&spill, chunk, sizeof chunk);
    }
    assert_true(spill.in_memory < CHUNKS);
    assert_false(spill_gather(&spill, SPILL_CHUNK)); /* too much for that */
    assert_true(spill_gather(&spill, CHUNKS * SPILL_CHUNK));
    close(spill.file);
    spill_reopen(&spill);
    assert_true(spill.file >= 0);
    for (int i = CHUNKS; i < 2 * CHUNKS; i++) {
        memset(chunk, i, sizeof chunk);
        spill_push(&spill, chunk, sizeof chunk);
    }
    assert_true(spill.in_memory < 2 * CHUNKS); /* the new file is in use */
    for (int i = 0; i < 2 * CHUNKS; i++) {
        assert_true(spill_pop(&spill, chunk, sizeof chunk));
        assert_int_equal(chunk[0], i);
        assert_int_equal(chunk[SPILL_CHUNK - 1], i);
    }
    spill_destroy(&spill);
    pool_destroy_private(pool);
}

static void distinct_counts_then_estimates(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct distinct distinct;
    distinct_init(&distinct, pool, 50000);
    for (uint64_t i = 0; i < 400000; i++) {
        struct hash128 hash = {hash_mix(i), hash_mix(~i)};
        distinct_add(&distinct, hash);
        distinct_add(&distinct, hash);
        if (i < 50000)
            assert_int_equal(distinct.count, i + 1);
    }
    assert_false(distinct.exact);
    assert_in_range(distinct.count, 400000 * 0.96, 400000 * 1.04);
    assert_in_range(pool_used(pool), 1, 4 << 20);
    pool_destroy_private(pool);
}

static void threadset_is_a_set(void **state)
{
    (void)state;
    bool model[THREADS_MAX] = {0};
    threadset set;
    uint64_t random = 5;
    threadset_clear(&set);
    for (int round = 0; round < 3000; round++) {
        int tid = (int)random_below(&random, THREADS_MAX);
        model[tid] = !model[tid];
        if (model[tid])
            threadset_add(&set, tid);
        else
            threadset_remove(&set, tid);
        int count = 0, from = (int)random_below(&random, THREADS_MAX), next = -1;
        for (int t = THREADS_MAX - 1; t >= 0; t--) {
            assert_int_equal(threadset_has(&set, t), model[t]);
            count += model[t];
            if (model[t] && t >= from)
                next = t;
        }
        assert_int_equal(threadset_count(&set), count);
        assert_int_equal(threadset_empty(&set), count == 0);
        assert_int_equal(threadset_next(&set, from), next);
    }
}

static void operations_have_names(void **state)
{
    (void)state;
    for (int kind = 0; kind < OP_KINDS; kind++) {
        assert_string_not_equal(op_kind_name(kind), "?");
        assert_int_equal(op_kind_from_name(op_kind_name(kind)), kind);
    }
    assert_string_equal(op_kind_name(OP_KINDS), "?");
    assert_string_equal(op_kind_name(-1), "?");
    assert_int_equal(op_kind_from_name("no such operation"), OP_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pool_blocks_are_zero_and_disjoint),
        cmocka_unit_test(pool_says_when_it_is_full),
        cmocka_unit_test(pool_leaves_address_space_for_others),
        cmocka_unit_test(table_is_a_map),
        cmocka_unit_test(table_drops_what_it_is_told_to),
        cmocka_unit_test(stamped_table_forgets_at_once),
        cmocka_unit_test(spill_is_a_queue),
        cmocka_unit_test(spill_reuses_its_file),
        cmocka_unit_test(spill_notices_that_its_file_is_gone),
        cmocka_unit_test(spill_survives_without_its_file),
        cmocka_unit_test(distinct_counts_then_estimates),
        cmocka_unit_test(threadset_is_a_set),
        cmocka_unit_test(operations_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
