/* The race detector against a brute-force oracle.
 *
 * The oracle keeps the list of events and, for each, the set of events that happen before it,
 * built from the definitions of C11 alone: program order, create and join, release sequences
 * found by walking back over the modification order of each byte, fences by looking for the
 * last one before a write. It uses no clocks. A seeded generator extends a sequence event by
 * event; the oracle is asked first, and events that would race are mostly dropped, so that
 * sequences grow long before the race that ends them. The detector must report exactly there,
 * and name an access that the oracle agrees with.
 *
 * The same harness then runs with events that are passed on wrongly in one respect each: it
 * has to notice every one of them, which shows that it can fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/race/race.h"

#define EVENTS_MAX 128
#define THREADS    5
#define MEMORY     24
#define OBJECTS    2
#define BASE       UINT64_C(0x10007fff8ff0) /* the bytes straddle a page */

static uint64_t seed;

static uint32_t draw_below(uint32_t bound)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 20) % bound);
}

/* ---- events and the oracle ---- */

typedef struct {
    uint64_t word[EVENTS_MAX / 64];
} eventset;

enum event_kind {
    READ,
    WRITE,
    LOAD,
    STORE,
    RMW,
    FENCE,
    ACQUIRE,
    RELEASE,
    RELEASE_STORE,
    CREATE,
    JOIN,
    FREE,
    FORGET,
    FORGET_OBJECT,
    EVENT_KINDS
};

struct event {
    bool old_rule; /* a store of code before C++20 */
    enum event_kind kind;
    int thread;
    int order;
    uint32_t offset; /* accesses; objects: number */
    uint32_t size;
    int other;          /* create, join */
    int release_fence;  /* the thread's last release fence before, -1: none */
    eventset before;    /* what happens before it */
    uint64_t forgotten; /* bytes that later lost their history */
};

static struct event event[EVENTS_MAX];
static int nevents;
static int last_of[THREADS];
static int release_fence_of[THREADS];
static eventset pending_of[THREADS]; /* for an acquire fence: sources and what is before them */
static bool alive[THREADS], started[THREADS];
static int slot_of[THREADS];

static bool has(const eventset *set, int i)
{
    return set->word[i / 64] >> (i % 64) & 1;
}

static void join_sets(eventset *into, const eventset *from)
{
    for (int i = 0; i < EVENTS_MAX / 64; i++)
        into->word[i] |= from->word[i];
}

/* The event and everything before it. */
static void add_closed(eventset *into, int i)
{
    join_sets(into, &event[i].before);
    into->word[i / 64] |= UINT64_C(1) << (i % 64);
}

static bool is_access(const struct event *e)
{
    return e->kind <= RMW || e->kind == FREE;
}

static bool is_atomic(const struct event *e)
{
    return e->kind == LOAD || e->kind == STORE || e->kind == RMW;
}

static bool is_write(const struct event *e)
{
    return e->kind == WRITE || e->kind == STORE || e->kind == RMW || e->kind == FREE;
}

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool acquires(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ||
           order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static uint64_t bytes_of(const struct event *e)
{
    return ((UINT64_C(1) << e->size) - 1) << e->offset;
}

/* The event is the release end of an edge for whoever reads the write `w`. */
static void add_release_of(eventset *sources, int w)
{
    if (releases(event[w].order))
        add_closed(sources, w);
    else if (event[w].release_fence >= 0)
        add_closed(sources, event[w].release_fence);
}

/* Everything that synchronises with a read of the byte at this point: walk back over the
 * writes to it as long as they are read-modify-writes. A store under the older rule lets the
 * sequences go on that its own thread heads. */
static void add_sources(eventset *sources, uint32_t byte)
{
    int only = -1; /* thread whose writes can still be heads */
    for (int w = nevents - 1; w >= 0; w--) {
        const struct event *e = &event[w];
        if (!is_access(e) || !is_write(e) || !(bytes_of(e) >> byte & 1))
            continue;
        if (!is_atomic(e) || (e->forgotten >> byte & 1))
            return;
        if (only < 0 || only == e->thread)
            add_release_of(sources, w);
        if (e->kind == RMW)
            continue;
        if (!e->old_rule || (only >= 0 && only != e->thread))
            return;
        only = e->thread;
    }
}

static void order_object(struct event *e)
{
    for (int i = nevents - 1; i >= 0; i--) {
        const struct event *r = &event[i];
        if (r->offset != e->offset)
            continue;
        if (r->kind == FORGET_OBJECT)
            return;
        if (r->kind == RELEASE || r->kind == RELEASE_STORE)
            add_closed(&e->before, i);
        if (r->kind == RELEASE_STORE)
            return;
    }
}

/* Find what happens before the event, which would be the next one. */
static void order_event(struct event *e)
{
    memset(&e->before, 0, sizeof e->before);
    e->forgotten = 0;
    e->release_fence = release_fence_of[e->thread];
    if (last_of[e->thread] >= 0)
        add_closed(&e->before, last_of[e->thread]);
    if (e->kind == LOAD || e->kind == RMW) {
        if (acquires(e->order))
            for (uint32_t b = 0; b < e->size; b++)
                add_sources(&e->before, e->offset + b);
    } else if (e->kind == FENCE && acquires(e->order)) {
        join_sets(&e->before, &pending_of[e->thread]);
    } else if (e->kind == ACQUIRE) {
        order_object(e);
    } else if (e->kind == JOIN && last_of[e->other] >= 0) {
        add_closed(&e->before, last_of[e->other]);
    }
}

static bool conflict(const struct event *later, const struct event *earlier)
{
    return is_access(earlier) && earlier->kind != FREE && earlier->thread != later->thread &&
           (bytes_of(earlier) & bytes_of(later) & ~earlier->forgotten) &&
           (is_write(earlier) || is_write(later)) && !(is_atomic(earlier) && is_atomic(later));
}

static bool oracle_races(const struct event *e)
{
    if (!is_access(e))
        return false;
    for (int i = 0; i < nevents; i++)
        if (conflict(e, &event[i]) && !has(&e->before, i))
            return true;
    return false;
}

/* The event takes place. */
static void append(const struct event *e)
{
    event[nevents] = *e;
    if ((e->kind == LOAD || e->kind == RMW) && !acquires(e->order))
        for (uint32_t b = 0; b < e->size; b++)
            add_sources(&pending_of[e->thread], e->offset + b);
    if (e->kind == FREE || e->kind == FORGET)
        for (int i = 0; i <= nevents; i++)
            event[i].forgotten |= bytes_of(e);
    if (e->kind == FENCE && releases(e->order))
        release_fence_of[e->thread] = nevents;
    last_of[e->thread] = nevents;
    if (e->kind == CREATE) {
        last_of[e->other] = nevents;
        alive[e->other] = started[e->other] = true;
    }
    if (e->kind == JOIN)
        alive[e->other] = false;
    nevents++;
}

/* ---- the detector ---- */

enum distortion {
    FAITHFUL,
    RELAXED_ACQUIRES,
    RELAXED_RELEASES,
    STORE_KEEPS_SEQUENCE,
    RMW_ENDS_SEQUENCE,
    NO_FENCES,
    NO_ACQUIRE_FENCE,
    NO_RELEASE_FENCE,
    NO_JOIN,
    RELEASE_REPLACES,
    STORE_ADDS,
    WIDER_WRITES,
    ATOMIC_AS_PLAIN,
    PLAIN_AS_ATOMIC,
    NO_FREE,
    NO_FORGET,
    NO_FORGET_OBJECT,
    DISTORTIONS
};

static struct race_pair reported;
static int nreports;
static bool leave_by_jump;
static jmp_buf left;

static void note_report(const struct race_pair *pair)
{
    if (nreports++ == 0)
        reported = *pair;
    if (leave_by_jump)
        longjmp(left, 1);
}

static void feed_access(const struct event *e, enum distortion how, int tid, uint64_t pc)
{
    uint64_t address = BASE + e->offset;
    int order = e->order;
    if (how == RELAXED_ACQUIRES && order == __ATOMIC_RELAXED)
        order = __ATOMIC_ACQUIRE;
    if (how == RELAXED_RELEASES && order == __ATOMIC_RELAXED)
        order = __ATOMIC_RELEASE;
    enum event_kind kind = e->kind;
    if (how == STORE_KEEPS_SEQUENCE && kind == STORE)
        kind = RMW;
    if (how == RMW_ENDS_SEQUENCE && kind == RMW)
        kind = STORE;
    if (how == ATOMIC_AS_PLAIN && kind == LOAD)
        kind = READ;
    if (how == PLAIN_AS_ATOMIC && kind == WRITE)
        kind = STORE, order = __ATOMIC_RELAXED;
    if (kind == READ)
        race_read(tid, address, e->size, pc);
    else if (kind == WRITE)
        race_write(tid, address, how == WIDER_WRITES ? e->size + 1 : e->size, pc);
    else if (kind == LOAD)
        race_atomic_load(tid, address, e->size, order, pc);
    else if (kind == STORE)
        race_atomic_store(tid, address, e->size, order, pc);
    else
        race_atomic_rmw(tid, address, e->size, order, pc);
}

static void feed_fence(const struct event *e, enum distortion how, int tid)
{
    int order = e->order;
    if (how == NO_ACQUIRE_FENCE)
        order = releases(order) ? __ATOMIC_RELEASE : __ATOMIC_RELAXED;
    if (how == NO_RELEASE_FENCE)
        order = acquires(order) ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED;
    if (how != NO_FENCES)
        race_fence(tid, order);
}

static void feed(const struct event *e, enum distortion how, uint64_t pc)
{
    int tid = slot_of[e->thread];
    uint64_t object = BASE + e->offset;
    switch (e->kind) {
    case FENCE:
        feed_fence(e, how, tid);
        break;
    case ACQUIRE:
        race_acquire(tid, object);
        break;
    case RELEASE:
        if (how == RELEASE_REPLACES)
            race_release_store(tid, object);
        else
            race_release(tid, object);
        break;
    case RELEASE_STORE:
        if (how == STORE_ADDS)
            race_release(tid, object);
        else
            race_release_store(tid, object);
        break;
    case CREATE:
        race_thread_create(tid, slot_of[e->other]);
        break;
    case JOIN:
        if (how != NO_JOIN)
            race_thread_join(tid, slot_of[e->other]);
        break;
    case FREE:
        if (how != NO_FREE)
            race_free(tid, BASE + e->offset, e->size, pc);
        break;
    case FORGET:
        if (how != NO_FORGET)
            race_forget_range(BASE + e->offset, e->size);
        break;
    case FORGET_OBJECT:
        if (how != NO_FORGET_OBJECT)
            race_forget(object);
        break;
    default:
        feed_access(e, how, tid, pc);
    }
}

/* ---- generating ---- */

static int random_order(void)
{
    static const int order[] = {__ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                __ATOMIC_CONSUME, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE,
                                __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};
    return order[draw_below(8)];
}

static int random_thread(const bool *among)
{
    int thread;
    do
        thread = (int)draw_below(THREADS);
    while (!among[thread]);
    return thread;
}

/* Most accesses go to few places, in the shapes that programs have. */
static void random_place(struct event *e, bool aligned)
{
    e->size = 1u << draw_below(4);
    if (draw_below(12) == 0)
        e->size = aligned ? 16 : 1 + draw_below(MEMORY);
    e->offset = draw_below(3) ? draw_below(2) * 8 : draw_below(MEMORY - e->size + 1);
    if (aligned)
        e->offset = e->offset / e->size * e->size;
    if (e->offset + e->size > MEMORY)
        e->offset = 0;
}

static bool old_rules, old_rule_now;

static bool is_old_rule(uint64_t pc)
{
    (void)pc;
    return old_rule_now;
}

static bool random_event(struct event *e)
{
    static const enum event_kind kinds[] = {
        READ,    READ,    WRITE,   WRITE,         LOAD,   LOAD,   STORE, RMW,  RMW,   FENCE,
        ACQUIRE, RELEASE, ACQUIRE, RELEASE_STORE, CREATE, CREATE, JOIN,  LOAD, STORE, FENCE};
    memset(e, 0, sizeof *e);
    e->kind = kinds[draw_below(sizeof kinds / sizeof *kinds)];
    if (draw_below(40) == 0)
        e->kind = FREE + draw_below(3);
    e->thread = random_thread(alive);
    e->order = random_order();
    e->old_rule = old_rules && draw_below(4) != 0;
    if (is_access(e) || e->kind == FORGET)
        random_place(e, is_atomic(e));
    else
        e->offset = draw_below(OBJECTS);
    /* orders that C11 has for the operation */
    if (e->kind == LOAD && releases(e->order) && e->order != __ATOMIC_SEQ_CST)
        e->order = __ATOMIC_ACQUIRE;
    if (e->kind == STORE && acquires(e->order) && e->order != __ATOMIC_SEQ_CST)
        e->order = __ATOMIC_RELEASE;
    if (e->kind == CREATE) {
        e->other = (int)draw_below(THREADS);
        return !started[e->other];
    }
    if (e->kind == JOIN) {
        e->other = (int)draw_below(THREADS);
        return draw_below(4) == 0 && e->other != 0 && e->other != e->thread &&
               alive[e->other];
    }
    return true;
}

static void begin(void)
{
    static const int gaps[] = {1, 1, 1, 2, 3, 5, 40};
    nevents = nreports = 0;
    for (int t = 0, slot = 0; t < THREADS; t++) {
        last_of[t] = release_fence_of[t] = -1;
        memset(&pending_of[t], 0, sizeof pending_of[t]);
        alive[t] = started[t] = t == 0;
        slot_of[t] = slot;
        slot += gaps[draw_below(7)];
    }
    race_begin();
}

static bool kind_matches(const struct event *e, const struct board_access *access)
{
    return is_write(e) == access->write && is_atomic(e) == access->atomic &&
           (e->kind == FREE) == access->is_free;
}

/* Is the reported pair one that the oracle knows? */
static bool report_is_right(const struct event *later)
{
    const struct board_access *found = &reported.earlier;
    if (slot_of[later->thread] != reported.later.tid || !kind_matches(later, &reported.later) ||
        reported.later.stack.pc[0] != 99)
        return false;
    for (int i = 0; i < nevents; i++) {
        const struct event *e = &event[i];
        uint64_t from = found->address - BASE;
        if (conflict(later, e) && !has(&later->before, i) && slot_of[e->thread] == found->tid &&
            kind_matches(e, found) && from < e->offset + e->size &&
            from + found->size > e->offset)
            return true;
    }
    return false;
}

static void feed_once(const struct event *e, enum distortion how, uint64_t pc)
{
    old_rule_now = e->old_rule;
    if (!setjmp(left))
        feed(e, how, pc);
}

/* One sequence. True: the detector agreed with the oracle throughout. */
static bool agrees(enum distortion how, int *races, int *length)
{
    begin();
    leave_by_jump = draw_below(2);
    while (nevents < EVENTS_MAX) {
        struct event e;
        if (!random_event(&e))
            continue;
        order_event(&e);
        bool expected = oracle_races(&e);
        if (expected && draw_below(20) != 0)
            continue;
        feed_once(&e, how, expected ? 99 : 1);
        if (expected != (nreports > 0))
            return false;
        if (expected) {
            ++*races;
            return report_is_right(&e);
        }
        append(&e);
        ++*length;
    }
    return true;
}

static void test_against_oracle(void **state)
{
    (void)state;
    int races = 0, length = 0;
    const int sequences = 20000;
    for (int i = 1; i <= sequences; i++) {
        seed = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
        if (!agrees(FAITHFUL, &races, &length))
            fail_msg("sequence %d, event %d", i, nevents);
    }
    /* the generator makes long sequences and many races */
    assert_true(races > sequences / 2);
    assert_true(length > sequences * 30);
}

/* The same with stores that follow the rule before C++20. */
static void test_old_rule_against_oracle(void **state)
{
    old_rules = true;
    race_old_rule = is_old_rule;
    race_keep_heads(true);
    test_against_oracle(state);
    /* it makes a difference: the detector with the new rule is noticed */
    int races = 0, length = 0, noticed = 0;
    race_old_rule = NULL;
    for (int i = 1; i <= 5000 && !noticed; i++) {
        seed = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
        noticed = !agrees(FAITHFUL, &races, &length);
    }
    old_rules = false;
    race_keep_heads(false);
    assert_true(noticed);
}

static void test_harness_notices_every_distortion(void **state)
{
    (void)state;
    for (int how = FAITHFUL + 1; how < DISTORTIONS; how++) {
        int races = 0, length = 0, noticed = 0;
        for (int i = 1; i <= 5000 && !noticed; i++) {
            seed = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
            noticed = !agrees(how, &races, &length);
        }
        if (!noticed)
            fail_msg("distortion %d passed", how);
    }
}

/* ---- by hand ---- */

static void start(int threads)
{
    nreports = 0;
    leave_by_jump = false;
    race_begin();
    for (int t = 1; t < threads; t++)
        race_thread_create(0, t);
}

static void test_bytes_of_one_word_are_independent(void **state)
{
    (void)state;
    start(3);
    for (int round = 0; round < 3; round++)
        for (int t = 0; t < 3; t++)
            race_write(t, BASE + (uint64_t)t, 1, 0);
    assert_int_equal(nreports, 0);
    race_read(2, BASE + 1, 1, 7);
    assert_int_equal(nreports, 1);
    assert_int_equal(reported.earlier.tid, 1);
    assert_true(reported.earlier.write);
    assert_false(reported.later.write);
    assert_int_equal(reported.earlier.address, BASE + 1);
    assert_int_equal(reported.earlier.size, 1);
    assert_int_equal(reported.later.stack.pc[0], 7);
}

/* A relaxed flag that should have been release. */
static void message_passing(int store_order, int load_order, int expected)
{
    start(3);
    race_write(1, BASE, 8, 1);
    race_atomic_store(1, BASE + 16, 4, store_order, 2);
    race_atomic_load(2, BASE + 16, 4, load_order, 3);
    race_read(2, BASE, 8, 4);
    assert_int_equal(nreports, expected);
}

static void test_message_passing(void **state)
{
    (void)state;
    message_passing(__ATOMIC_RELEASE, __ATOMIC_ACQUIRE, 0);
    message_passing(__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, 0);
    message_passing(__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, 1);
    message_passing(__ATOMIC_RELEASE, __ATOMIC_RELAXED, 1);
}

static void test_nothing_is_left_of_an_execution(void **state)
{
    (void)state;
    start(3);
    race_write(1, BASE, 8, 0);
    race_release(1, 77);
    start(3);
    race_write(2, BASE, 8, 0);
    assert_int_equal(nreports, 0);
    race_acquire(1, 77);
    race_write(1, BASE, 8, 0);
    assert_int_equal(nreports, 1);
}

static void test_all_slots(void **state)
{
    (void)state;
    start(THREADS_MAX);
    for (int t = 0; t < THREADS_MAX; t++) {
        race_acquire(t, 5);
        race_write(t, BASE, 4, 0);
        race_read(t, BASE + 8, 4, 0);
        race_atomic_rmw(t, BASE + 16, 4, __ATOMIC_RELAXED, 0);
        race_release(t, 5);
    }
    assert_int_equal(nreports, 0);
    for (int t = 0; t < THREADS_MAX; t++)
        race_read(t, BASE + 8, 4, 0);
    race_acquire(3, 5);
    race_write(3, BASE + 16, 4, 0); /* the last rmw was released after it took place */
    assert_int_equal(nreports, 0);
    race_write(3, BASE + 8, 4, 0); /* the second reads were not */
    assert_int_equal(nreports, 1);
}

static void test_many_objects(void **state)
{
    (void)state;
    start(3);
    for (uint64_t object = 0; object < 5000; object++) {
        race_write(1, BASE + object * 8, 8, 0);
        race_release(1, object);
    }
    for (uint64_t object = 0; object < 5000; object++) {
        race_acquire(2, object);
        race_read(2, BASE + object * 8, 8, 0);
    }
    assert_int_equal(nreports, 0);
}

/* A range over many pages; addresses that are no user memory do nothing. */
static void test_ranges(void **state)
{
    (void)state;
    start(3);
    race_write(1, BASE + 3, 100000, 0);
    race_write(1, UINT64_C(1) << 60, 8, 0);
    race_read(2, BASE + 100003, 8, 0);
    race_read(2, BASE + 2, 1, 0);
    assert_int_equal(nreports, 0);
    race_read(2, BASE + 100002, 1, 0);
    assert_int_equal(nreports, 1);
    start(3);
    race_write(1, BASE + 3, 100000, 0);
    race_free(2, BASE, 200000, 5);
    assert_int_equal(nreports, 1);
    assert_true(reported.later.is_free);
}

/* A free finds what was touched in a large block, wherever that is, and forgets it; what was
 * touched in an earlier execution is nothing. */
static void test_a_large_block_is_freed(void **state)
{
    (void)state;
    static const uint64_t touched[] = {0, 56, 64, 120, 4032, 4088, 4096, 12280, 20480, 65528};
    const size_t places = sizeof touched / sizeof touched[0];
    const uint64_t block = BASE + 16; /* a page begins there */
    for (size_t i = 0; i < places; i++) {
        for (int forgotten = 0; forgotten < 2; forgotten++) {
            start(3);
            race_write(1, block + touched[i], 8, 0);
            race_write(2, block + touched[(i + 1) % places], 8, 0); /* of the one that frees */
            if (forgotten)
                race_forget_range(block, 65536);
            race_free(2, block, 65536, 5);
            assert_int_equal(nreports, !forgotten);
            race_write(1, block + touched[i], 8, 0);
            assert_int_equal(nreports, !forgotten);
        }
        start(3);
        race_free(2, block, 65536, 5);
        assert_int_equal(nreports, 0);
    }
}

/* ---- record mode ---- */

static uint32_t contexts;

static void fake_context(struct board_access *access)
{
    access->event = ++contexts;
    access->nlocks = 1;
    access->lock[0] = 1000 + (uint64_t)access->tid;
    access->stack.depth = 2;
    access->stack.pc[1] = 4242;
}

static void test_record_mode_knows_both_sides(void **state)
{
    (void)state;
    race_context = fake_context;
    start(3);
    race_write(1, BASE + 4, 4, 10);
    race_write(1, BASE, 4, 11);
    race_write(1, BASE, 4, 12);
    race_write(1, BASE, 4, 12); /* the same again: not noted again */
    assert_int_equal(contexts, 3);
    race_read(2, BASE, 8, 20);
    race_context = NULL;
    assert_int_equal(nreports, 1);
    assert_int_equal(reported.earlier.stack.pc[1], 4242);
    assert_int_equal(reported.earlier.lock[0], 1001);
    assert_int_equal(reported.earlier.size, 4);
    assert_true(reported.earlier.write);
    uint64_t pc = reported.earlier.stack.pc[0];
    assert_true(reported.earlier.address == BASE ? pc == 12 : pc == 10);
    assert_int_equal(reported.later.stack.pc[0], 20);
    assert_int_equal(reported.later.lock[0], 1002);
    assert_int_equal(reported.later.size, 8);
}

static void test_record_mode_knows_the_latest_of_shared_reads(void **state)
{
    (void)state;
    race_context = fake_context;
    start(4);
    race_read(1, BASE, 8, 30);
    race_read(2, BASE, 8, 31);
    race_read(2, BASE, 8, 32);
    race_release(1, 9);
    race_acquire(3, 9);
    race_write(3, BASE, 8, 33);
    race_context = NULL;
    assert_int_equal(nreports, 1);
    assert_int_equal(reported.earlier.tid, 2);
    assert_false(reported.earlier.write);
    assert_int_equal(reported.earlier.stack.pc[0], 32);
}

static int init(void **state)
{
    (void)state;
    race_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_oracle),
        cmocka_unit_test(test_old_rule_against_oracle),
        cmocka_unit_test(test_harness_notices_every_distortion),
        cmocka_unit_test(test_bytes_of_one_word_are_independent),
        cmocka_unit_test(test_message_passing),
        cmocka_unit_test(test_nothing_is_left_of_an_execution),
        cmocka_unit_test(test_all_slots),
        cmocka_unit_test(test_many_objects),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_a_large_block_is_freed),
        cmocka_unit_test(test_record_mode_knows_both_sides),
        cmocka_unit_test(test_record_mode_knows_the_latest_of_shared_reads),
    };
    race_report = note_report;
    return cmocka_run_group_tests_name("race", tests, init, NULL);
}
