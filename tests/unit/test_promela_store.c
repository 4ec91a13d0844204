/* The store against a plain array of vectors: random vectors of many lengths, with and without
 * a predecessor, found again by number, with who they came from and what the search keeps of
 * them; and its behaviour at the memory limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "promela/store/hashed_states.h"
#include "promela/store/lineage.h"
#include "promela/store/store.h"

#define VECTORS 3000
#define LONGEST 800
#define KEY     64 /* words that the key of the longest takes, at most */
#define BITS    13 /* of the search's own */

static uint64_t seed;

static uint32_t pick(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

struct known {
    _Alignas(8) uint8_t bytes[LONGEST];
    uint32_t size, number, parent;
    uint64_t key[KEY];
};

/* Lengths are told apart by the first word, as shapes do. */
static void make(struct known *k, const struct known *from)
{
    *k = *from;
    if (pick(4) == 0 || from->size == 0) {
        k->size = 4 * (1 + pick(pick(3) == 0 ? LONGEST / 4 : 12));
        memset(k->bytes, 0, sizeof k->bytes);
        memcpy(k->bytes, &k->size, 4);
    }
    for (uint32_t i = pick(4); i > 0 && k->size > 4; i--)
        k->bytes[4 + pick(k->size - 4)] = (uint8_t)pick(pick(2) ? 3 : 256);
}

static long find(const struct known *list, long count, const struct known *k)
{
    for (long i = 0; i < count; i++)
        if (list[i].size == k->size && memcmp(list[i].bytes, k->bytes, k->size) == 0)
            return i;
    return -1;
}

static void against_an_array(void **state)
{
    (void)state;
    struct known *list = calloc(VECTORS + 1, sizeof *list);
    struct crew crew;
    crew_init(&crew, 1);
    struct store *store = store_create((size_t)1 << 30, &crew, 3);
    struct store_writer *writer = store_writer(store, 0);
    store_keep_parents(store);
    store_keep_bits(store, BITS);
    long count = 0;
    seed = 7;
    for (int turn = 0; turn < 3 * VECTORS && count < VECTORS; turn++) {
        struct known none = {0}, *k = &list[VECTORS];
        const struct known *from = count > 0 ? &list[pick((uint32_t)count)] : &none;
        make(k, from);
        struct store_root root =
            store_key(writer, k->bytes, k->size, count > 0 ? from->bytes : NULL, from->size,
                      from->key, k->key);
        long at = find(list, count, k);
        assert_int_equal(store_add(writer, root, &k->number), at < 0);
        if (at >= 0) {
            assert_int_equal(k->number, list[at].number);
        } else {
            memcpy(store_extra(store, k->number), &count, 3);
            assert_int_equal(store_bits(store, k->number, 0) & ((1u << BITS) - 1), 0);
            store_change_bits(store, k->number, 0, 0, (1u << BITS) - 1);
            store_change_bits(store, k->number, 4, 0x1ff, (uint32_t)count & 0x1ff);
            k->parent = from->number;
            store_set_parent(writer, k->number, k->parent);
            list[count++] = *k;
        }
    }
    assert_int_equal(store_count(store), count);
    assert_true(count > VECTORS / 2);
    for (long i = 0; i < count; i++) {
        _Alignas(8) uint8_t bytes[2 * LONGEST] = {0};
        uint64_t key[KEY], again[KEY];
        uint32_t number, near = (uint32_t)(i + 1) % (uint32_t)count;
        assert_true(store_key_words(list[i].size) <= KEY);
        store_get(store, list[i].number, bytes, key);
        assert_memory_equal(store_extra(store, list[i].number), &i, 3);
        assert_int_equal(store_bits(store, list[i].number, 0) & 0xf, 0xf);
        assert_int_equal(store_bits(store, list[i].number, 4) & 0x1ff, i & 0x1ff);
        assert_memory_equal(bytes, list[i].bytes, list[i].size);
        assert_int_equal(store_parent(store, list[i].number), list[i].parent);
        /* a key from the store, then one of long ago: both lead to the same states */
        for (int old = 0; old <= 1; old++) {
            struct store_root root = store_key(writer, list[near].bytes, list[near].size, bytes,
                                               list[i].size, old ? list[i].key : key, again);
            assert_false(store_add(writer, root, &number));
            assert_int_equal(number, list[near].number);
        }
    }
    store_free(store);
    free(list);
}

/* More than 256 and more than 65,536 different pieces at one position: new formats. */
static void wide_numbers(void **state)
{
    (void)state;
    struct crew crew;
    crew_init(&crew, 1);
    struct store *store = store_create((size_t)1 << 30, &crew, 0);
    struct store_writer *writer = store_writer(store, 0);
    _Alignas(8) uint64_t vector[3] = {24, 0, 0};
    uint64_t key[KEY];
    uint32_t count = 70000, *numbers = calloc(count, sizeof *numbers);
    for (uint32_t i = 0; i < count; i++) {
        vector[1] = i;
        vector[2] = i / 300;
        struct store_root root = store_key(writer, (uint8_t *)vector, 24, NULL, 0, NULL, key);
        assert_true(store_add(writer, root, &numbers[i]));
    }
    for (uint32_t i = 0; i < count; i += 7) {
        uint32_t number;
        store_get(store, numbers[i], (uint8_t *)vector, key);
        assert_int_equal(vector[1], i);
        assert_int_equal(vector[2], i / 300);
        struct store_root root = store_key(writer, (uint8_t *)vector, 24, NULL, 0, NULL, key);
        assert_false(store_add(writer, root, &number));
        assert_int_equal(number, numbers[i]);
    }
    assert_true(store_bytes(store) < 40 * count); /* packed, with its tables */
    free(numbers);
    store_free(store);
}

static void stops_at_its_limit(void **state)
{
    (void)state;
    struct crew crew;
    crew_init(&crew, 1);
    struct store *store = store_create(200000, &crew, 0);
    struct store_writer *writer = store_writer(store, 0);
    _Alignas(8) uint64_t vector[2] = {16, 0};
    uint64_t key[KEY];
    uint32_t number;
    uint64_t added = 0;
    for (uint32_t i = 0; i < 1000000 && !store_full(store); i++) {
        vector[1] = i;
        added += store_add(writer, store_key(writer, (uint8_t *)vector, 16, NULL, 0, NULL, key),
                           &number);
    }
    assert_true(store_full(store));
    assert_true(store_bytes(store) <= 200000);
    assert_true(added > 1000 && added < 100000);
    store_free(store);
}

/* Several workers bring the same states in different orders, while tables grow under them:
 * each state is new for exactly one, and all agree on its number. */
#define CREW   4
#define COMMON 59999u /* a prime: every step goes round */

struct together {
    struct crew crew;
    struct store *store;
    uint32_t *numbers[CREW];
    uint32_t *parents; /* as whoever added the state chose */
    uint64_t fresh[CREW];
};

static void bring(void *context, int worker)
{
    struct together *t = context;
    struct store_writer *writer = store_writer(t->store, worker);
    _Alignas(8) uint64_t vector[4] = {32, 0, 0, 0};
    uint64_t key[KEY];
    uint32_t step = 7919u + 2u * (uint32_t)worker;
    for (uint32_t k = 0, i = (uint32_t)worker * 1000; k < COMMON;
         k++, i = (i + step) % COMMON) {
        crew_poll(&t->crew);
        vector[1] = i % 1013;
        vector[2] = i / 7;
        vector[3] = (uint64_t)i << 40;
        struct store_root root = store_key(writer, (uint8_t *)vector, 32, NULL, 0, NULL, key);
        if (store_add(writer, root, &t->numbers[worker][i])) {
            t->fresh[worker]++;
            t->parents[i] = k % 5 < 3 ? k / 5 : i;
            store_set_parent(writer, t->numbers[worker][i], t->parents[i]);
        }
    }
}

static void shared_by_workers(void **state)
{
    (void)state;
    struct together t = {0};
    uint64_t fresh = 0;
    crew_init(&t.crew, CREW);
    t.store = store_create((size_t)1 << 30, &t.crew, 0);
    t.parents = calloc(COMMON, sizeof *t.parents);
    store_keep_parents(t.store);
    for (int i = 0; i < CREW; i++) {
        t.numbers[i] = calloc(COMMON, sizeof *t.numbers[i]);
        assert_non_null(store_writer(t.store, i));
    }
    assert_true(crew_run(&t.crew, bring, &t));
    for (int w = 0; w < CREW; w++) {
        fresh += t.fresh[w];
        assert_memory_equal(t.numbers[w], t.numbers[0], COMMON * sizeof *t.numbers[w]);
    }
    assert_int_equal(fresh, COMMON);
    assert_int_equal(store_count(t.store), COMMON);
    for (uint32_t i = 0; i < COMMON; i++) {
        _Alignas(8) uint64_t vector[4];
        uint64_t key[KEY];
        store_get(t.store, t.numbers[0][i], (uint8_t *)vector, key);
        assert_int_equal(vector[1], i % 1013);
        assert_int_equal(vector[3], (uint64_t)i << 40);
        assert_int_equal(store_parent(t.store, t.numbers[0][i]), t.parents[i]);
    }
    free(t.parents);
    for (int i = 0; i < CREW; i++)
        free(t.numbers[i]);
    store_free(t.store);
    crew_free(&t.crew);
}

/* Runs of any length, distances of any size: all can be read after each. */
static void predecessors(void **state)
{
    (void)state;
    uint8_t bytes[LINEAGE_MOST(STORE_CHUNK)];
    uint32_t parents[STORE_CHUNK], first = 5 * STORE_CHUNK, parent = 0;
    struct lineage l = {.bytes = bytes};
    seed = 3;
    for (int turn = 0; turn < 40; turn++) {
        lineage_begin(&l, first);
        for (uint32_t i = 0; i < STORE_CHUNK; i++) {
            uint32_t size = pick(turn % 4 == 0 ? 2 : 33);
            if (pick(3) > 0)
                parent += size == 32 ? 0x80000000u : pick(1u << size % 31) - (1u << size / 2);
            parents[i] = turn == 1 ? i * 0x7fffffffu : parent;
            lineage_add(&l, parents[i]);
            assert_int_equal(lineage_parent(bytes, first, i), parents[i]);
        }
        assert_true(l.length <= sizeof bytes);
        for (uint32_t i = 0; i < STORE_CHUNK; i++)
            assert_int_equal(lineage_parent(bytes, first, i), parents[i]);
    }
}

/* What makes a search small: the successors of neighbours take half a byte each. */
static void neighbours_are_cheap(void **state)
{
    (void)state;
    uint8_t bytes[LINEAGE_MOST(STORE_CHUNK)];
    struct lineage l = {.bytes = bytes};
    lineage_begin(&l, 0);
    for (uint32_t i = 0; i < STORE_CHUNK; i++)
        lineage_add(&l, i / 2);
    assert_true(l.length <= STORE_CHUNK / 2 + 8);
}

/* The table of hashes grows several times, in the end by less than twice. */
static void fingerprints(void **state)
{
    (void)state;
    for (int bits = 0; bits <= 1; bits++) {
        struct fingerprints *f = fingerprints_create(bits, (size_t)1 << 25);
        _Alignas(8) uint64_t vector[4] = {32, 1, 2, 3};
        uint64_t fresh = 0, count = 150000;
        for (int turn = 0; turn < 2; turn++)
            for (uint64_t i = 0; i < count; i++) {
                vector[2] = i;
                fresh +=
                    fingerprints_add(f, fingerprint((uint8_t *)vector, 32), (uint32_t)i % 3);
            }
        for (uint64_t i = 0; i < count; i++) {
            vector[2] = i;
            assert_true(
                fingerprints_has(f, fingerprint((uint8_t *)vector, 32), (uint32_t)i % 3));
        }
        assert_false(fingerprints_has(f, fingerprint((uint8_t *)vector, 32),
                                      (uint32_t)(count - 1) % 3 + 1));
        assert_in_range(fresh, bits ? count - 10 : count, count);
        assert_true(fingerprints_missed(f) < 1);
        assert_false(fingerprints_full(f));
        assert_true(bits || fingerprints_bytes(f) < 14 * count);
        fingerprints_free(f);
    }
}

/* At its limit the table takes no more, knows what it has, and says so. */
static void fingerprints_at_the_limit(void **state)
{
    (void)state;
    struct fingerprints *f = fingerprints_create(false, 1000000);
    _Alignas(8) uint64_t vector[2] = {16, 0};
    uint64_t count = 0;
    for (; !fingerprints_full(f) && count < 1000000; count++) {
        vector[1] = count;
        fingerprints_add(f, fingerprint((uint8_t *)vector, 16), 0);
    }
    assert_in_range(count, 1000000 / 14, 1000000 / 8);
    assert_true(fingerprints_bytes(f) <= 1000000);
    for (uint64_t i = 0; i < 2 * count; i++) {
        vector[1] = i;
        assert_int_equal(fingerprints_add(f, fingerprint((uint8_t *)vector, 16), 0),
                         i >= count);
    }
    fingerprints_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_an_array),   cmocka_unit_test(wide_numbers),
        cmocka_unit_test(stops_at_its_limit), cmocka_unit_test(shared_by_workers),
        cmocka_unit_test(predecessors),       cmocka_unit_test(neighbours_are_cheap),
        cmocka_unit_test(fingerprints),       cmocka_unit_test(fingerprints_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
