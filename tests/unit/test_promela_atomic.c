/* The places met inside an atomic sequence against a plain list of them: what is new, what was
 * met on a path as short, what is still open; and what happens when there is no more room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "promela/store/atomic_seen.h"

#define PLACES 400
#define DEPTH  64

static uint64_t seed;

static uint32_t pick(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

struct known {
    uint64_t words[2];
    struct atomic_place place;
    bool open;
};

static struct known list[PLACES];
static int count;

static struct known *find(const struct atomic_place *place)
{
    for (int i = 0; i < count; i++) {
        const struct atomic_place *other = &list[i].place;
        if (other->size == place->size && other->holder == place->holder &&
            other->last_pid == place->last_pid && other->last_partner == place->last_partner &&
            memcmp(list[i].words, place->vector, place->size) == 0)
            return &list[i];
    }
    return NULL;
}

static enum atomic_met expected(const struct atomic_place *place, struct known **opened)
{
    struct known *known = find(place);
    if (known && known->open)
        return ATOMIC_OPEN;
    if (known && known->place.length <= place->length)
        return ATOMIC_DONE;
    if (!known) {
        known = &list[count++];
        known->place = *place;
        memcpy(known->words, place->vector, place->size);
    }
    known->place.length = place->length;
    known->open = true;
    *opened = known;
    return ATOMIC_NEW;
}

static void one_sequence(struct atomic_seen *seen)
{
    struct known *path[PLACES * DEPTH];
    uint32_t depth = 0;
    count = 0;
    atomic_seen_clear(seen);
    for (int turn = 0; turn < 3000 && count < PLACES; turn++) {
        uint64_t words[2] = {pick(4), pick(4)};
        struct atomic_place place = {.vector = (const uint8_t *)words,
                                     .size = 8 + 8 * pick(2),
                                     .holder = pick(2),
                                     .last_pid = pick(2),
                                     .last_partner = pick(2),
                                     .length = 1 + pick(6)};
        struct known *opened = NULL;
        enum atomic_met met = expected(&place, &opened);
        assert_int_equal(atomic_seen_enter(seen, &place), met);
        if (opened)
            path[depth++] = opened;
        if (pick(3) == 0) {
            uint32_t kept = pick(depth + 1);
            atomic_seen_leave(seen, kept);
            while (depth > kept)
                path[--depth]->open = false;
        }
    }
    atomic_seen_leave(seen, 0);
    for (int i = 0; i < count; i++)
        list[i].open = false;
}

static void agrees_with_a_list(void **state)
{
    (void)state;
    struct atomic_seen seen;
    atomic_seen_init(&seen, (size_t)1 << 30);
    for (seed = 1; seed < 40; seed += 2) {
        uint64_t kept = seed;
        one_sequence(&seen);
        seed = kept;
    }
    atomic_seen_free(&seen);
}

/* Without room a place is new each time; what is in there is still known. */
static void forgets_what_it_has_no_room_for(void **state)
{
    (void)state;
    struct atomic_seen seen;
    atomic_seen_init(&seen, 32 * 10 * sizeof(struct atomic_entry));
    for (int turn = 0; turn < 2; turn++)
        for (uint64_t word = 0; word < 20; word++) {
            struct atomic_place place = {
                .vector = (const uint8_t *)&word, .size = 8, .length = 1};
            enum atomic_met met = atomic_seen_enter(&seen, &place);
            atomic_seen_leave(&seen, 0);
            assert_int_equal(met, turn == 1 && word < 10 ? ATOMIC_DONE : ATOMIC_NEW);
        }
    atomic_seen_free(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_list),
        cmocka_unit_test(forgets_what_it_has_no_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
