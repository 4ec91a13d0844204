/* A random multithreaded program with waiting loops whose outcomes can be compared:
 * random_loops SEED SIZE KINDS [print]. KINDS is "await" (rounds of one read), "retry" (of
 * those, and loops that try again), "all" (of those, and
 * rounds of several reads), or "races" (of those, and plain accesses of the same cells);
 * "assume" are assumptions instead of loops.
 *
 * The rounds that look_ahead.c leaves out must not change what threads see, which failures
 * there are, or how many preemptions these take (loops.sh). */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outcome.h"

#define THREADS    3
#define STATEMENTS 8
#define CELLS      3

enum kind {
    LOAD,
    STORE,
    ADD,
    EXPECT, /* asserts that a cell does not have a value */
    AWAIT,
    AWAIT_YIELDING,
    AWAIT_COUNTING, /* the number of rounds is observed: nothing may be left out */
    AWAIT_EITHER,   /* returns from a nested function, with one of two values */
    LAST_AWAIT = AWAIT_EITHER,
    TEST_AND_SET, /* a critical section */
    TTAS,
    UPDATE,        /* load once, compare-exchange until it succeeds */
    UPDATE_AGAIN,  /* load in every round */
    UPDATE_GUESS,  /* no load: the first compare-exchange expects a guess */
    UPDATE_UNLESS, /* the cell has a value: then it goes on without */
    UPDATE_EVEN,   /* expects another value than it has read: waits while the cell is odd */
    UPDATE_TWICE,  /* two such loops in a row */
    UPDATE_WITH,   /* reads another cell before the compare-exchange, as a stack's pop does */
    UPDATE_IF,     /* … and looks again whether the first has changed, as a queue does */
    UPDATE_STALE,  /* with one value it returns what a failed attempt has read */
    UPDATE_NODE,   /* keeps what it read in a node of its own, as a stack's push does */
    UPDATE_EITHER, /* a compare-exchange of one cell or the other */
    WALK,          /* along a list, from the start again when it ends elsewhere */
    LAST_RETRY = WALK,
    TWO_READS, /* of one cell, until they differ or have a value */
    TWO_CELLS,
    THREE_READS,
    STABLE, /* a cell that is the same before and after another one: a sequence lock's reader */
    NESTED, /* a wait in the middle of a round that is repeated */
    STORES, /* a round that stores what is there */
    SPINS_TWICE, /* then goes on */
    LAST_ROUNDS = SPINS_TWICE,
    PLAIN_STORE, /* races with every read, also with those that wait */
    READS_PLAIN, /* reads plain memory in failed rounds */
    TRIES_PLAIN, /* … in failed attempts */
    LAST_PLAIN = TRIES_PLAIN,
    ASSUME,        /* that a cell has a value */
    ASSUME_EITHER, /* in the caller of the function that reads */
    ASSUME_BOTH,   /* of two cells */
    ASSUME_LATE,   /* of the first of two reads */
    ASSUME_SWAP,   /* that a compare-exchange succeeds */
    ASSUME_ADD,    /* of a cell that it changes */
    ASSUME_PLAIN,  /* of plain memory, too */
    KINDS
};

static const char *const names[KINDS] = {
    "load",           "store",        "add",          "expect",        "await",
    "await-yielding", "count",        "await-either", "tas",           "ttas",
    "update",         "update-again", "update-guess", "update-unless", "update-even",
    "update-twice",   "update-with",  "update-if",    "update-stale",  "update-node",
    "update-either",  "walk",         "two",          "two-cells",     "three",
    "stable",         "nested",       "stores",       "twice",         "plain-store",
    "reads-plain",    "tries-plain",  "assume",       "assume-either", "assume-both",
    "assume-late",    "assume-swap",  "assume-add",   "assume-plain",
};

struct statement {
    enum kind kind;
    unsigned cell, other, value;
};

static struct thread {
    pthread_t handle;
    unsigned count;
    struct statement statement[STATEMENTS];
    uint64_t seen;
} threads[THREADS];
static atomic_uint cells[CELLS];
static atomic_uint lock;
static unsigned nthreads;

static void await(atomic_uint *cell, unsigned value)
{
    while (atomic_load(cell) != value)
        ;
}

static void await_yielding(atomic_uint *cell, unsigned value)
{
    while (atomic_load(cell) < value)
        sched_yield();
}

static unsigned await_counting(atomic_uint *cell, unsigned value)
{
    unsigned rounds = 0;
    while (atomic_load(cell) != value && rounds < 3)
        rounds++;
    return rounds;
}

__attribute__((noinline)) static bool is_either(atomic_uint *cell, unsigned value,
                                                unsigned *found)
{
    unsigned now = atomic_load_explicit(cell, memory_order_acquire);
    if (now != value && now != value + 1)
        return false;
    *found = now;
    return true;
}

static unsigned await_either(atomic_uint *cell, unsigned value)
{
    unsigned found;
    while (!is_either(cell, value, &found))
        ;
    return found;
}

static unsigned test_and_set(atomic_uint *cell)
{
    while (atomic_exchange(&lock, 1))
        ;
    unsigned value = atomic_fetch_add(cell, 1);
    atomic_store(&lock, 0);
    return value;
}

static unsigned ttas(atomic_uint *cell)
{
    do
        while (atomic_load(&lock))
            ;
    while (atomic_exchange(&lock, 1));
    unsigned value = atomic_fetch_add(cell, 1);
    atomic_store(&lock, 0);
    return value;
}

static unsigned update(atomic_uint *cell, unsigned value)
{
    unsigned old = atomic_load(cell);
    while (!atomic_compare_exchange_strong(cell, &old, old + value))
        ;
    return old;
}

static unsigned update_again(atomic_uint *cell, unsigned value)
{
    unsigned old;
    do
        old = atomic_load(cell);
    while (!atomic_compare_exchange_strong(cell, &old, old + value));
    return old;
}

static unsigned update_guess(atomic_uint *cell, unsigned value)
{
    unsigned old = 0;
    while (!atomic_compare_exchange_weak(cell, &old, old + value))
        ;
    return old;
}

static unsigned update_unless(atomic_uint *cell, unsigned value)
{
    unsigned old = atomic_load_explicit(cell, memory_order_acquire);
    do
        if (old >= value)
            return 16 + old;
    while (!atomic_compare_exchange_weak(cell, &old, old + 1));
    return old;
}

static unsigned update_even(atomic_uint *cell, unsigned value)
{
    unsigned old = atomic_load(cell) & ~1u;
    while (!atomic_compare_exchange_strong(cell, &old, old + value))
        old &= ~1u;
    return old;
}

static unsigned update_with(atomic_uint *cell, atomic_uint *other)
{
    unsigned old, next;
    do {
        old = atomic_load(cell);
        next = atomic_load(other);
    } while (!atomic_compare_exchange_strong(cell, &old, next + old));
    return old * 16 + next;
}

static unsigned update_if(atomic_uint *cell, atomic_uint *other, unsigned value)
{
    for (;;) {
        unsigned old = atomic_load(cell);
        unsigned next = atomic_load(other);
        if (atomic_load(cell) != old)
            continue;
        if (next >= value)
            return 32 + next;
        if (atomic_compare_exchange_strong(other, &next, next + 1))
            return old * 16 + next;
    }
}

static unsigned update_stale(atomic_uint *cell, unsigned value)
{
    unsigned last = 0;
    for (;;) {
        unsigned old = atomic_load(cell);
        if (old == value)
            return 16 + last;
        if (atomic_compare_exchange_strong(cell, &old, old + 1))
            return old;
        last = old;
    }
}

static unsigned update_node(atomic_uint *cell, unsigned value)
{
    struct node {
        unsigned next, value;
    } *node = malloc(sizeof *node);
    unsigned old = atomic_load(cell);
    node->value = value;
    do
        node->next = old;
    while (!atomic_compare_exchange_strong(cell, &old, old + node->value));
    old = node->next;
    free(node);
    return old;
}

static unsigned update_either(atomic_uint *cell, atomic_uint *other, unsigned value)
{
    for (;;) {
        unsigned old = atomic_load(cell);
        if (old < value && atomic_compare_exchange_strong(cell, &old, old + 1))
            return old;
        unsigned next = atomic_load(other);
        if (atomic_compare_exchange_strong(other, &next, next + 1))
            return 16 + next;
    }
}

static unsigned walk(unsigned from, unsigned value)
{
    unsigned at = from, steps = 0;
    for (;;) {
        unsigned next = atomic_load(&cells[at]);
        if (next >= value)
            return at * 16 + next;
        if (++steps == 3)
            return 32 + next;
        at = (at + next) % CELLS;
    }
}

static unsigned two_reads(atomic_uint *cell, unsigned value)
{
    unsigned first, second;
    do {
        first = atomic_load(cell);
        second = atomic_load(cell);
    } while (first == second && first < value);
    return first * 16 + second;
}

static unsigned two_cells(atomic_uint *a, atomic_uint *b, unsigned value)
{
    while (!(atomic_load(a) >= value && atomic_load(b) >= value))
        ;
    return 1;
}

static unsigned three_reads(atomic_uint *a, atomic_uint *b, unsigned value)
{
    unsigned first, second, third;
    do {
        first = atomic_load(a);
        second = atomic_load(b);
        third = atomic_load(a);
    } while (first != third || second < value);
    return first * 16 + second;
}

static unsigned stable(atomic_uint *a, atomic_uint *b)
{
    unsigned before, value;
    do {
        before = atomic_load(a);
        value = atomic_load(b);
    } while (atomic_load(a) != before);
    return before * 16 + value;
}

static unsigned nested(atomic_uint *a, atomic_uint *b, unsigned value)
{
    unsigned before, after;
    do {
        before = atomic_load(a);
        while (atomic_load(b) < value)
            ;
        after = atomic_load(a);
    } while (before != after);
    return after;
}

static void stores(atomic_uint *a, atomic_uint *b, unsigned value)
{
    while (atomic_load(a) < value)
        if (atomic_load(b) == 1)
            atomic_store_explicit(b, 1, memory_order_relaxed);
}

static void plain_store(atomic_uint *cell, unsigned value)
{
    memcpy((void *)cell, &value, sizeof value);
}

static unsigned reads_plain(atomic_uint *a, const atomic_uint *b, unsigned value)
{
    unsigned copy = 0;
    while (atomic_load(a) < value)
        memcpy(&copy, (const void *)b, sizeof copy);
    return copy;
}

static unsigned tries_plain(atomic_uint *a, const atomic_uint *b)
{
    unsigned copy = 0, old;
    do {
        old = atomic_load(a);
        memcpy(&copy, (const void *)b, sizeof copy);
    } while (!atomic_compare_exchange_strong(a, &old, old + 1));
    return copy;
}

static unsigned spins_twice(atomic_uint *cell, unsigned value)
{
    for (int i = 0; i < 2; i++)
        if (atomic_load(cell) == value)
            return 1;
    return 0;
}

static unsigned assume_either(atomic_uint *cell, unsigned value)
{
    unsigned found = 0;
    bool is = is_either(cell, value, &found);
    mazur_assume(is);
    return found;
}

static unsigned assume_both(atomic_uint *a, atomic_uint *b, unsigned value)
{
    unsigned first = atomic_load(a), second = atomic_load(b);
    mazur_assume(first >= value && second >= value);
    return first * 16 + second;
}

static unsigned assume_late(atomic_uint *a, atomic_uint *b, unsigned value)
{
    unsigned first = atomic_load(a), second = atomic_load(b);
    mazur_assume(first >= value);
    return first * 16 + second;
}

static unsigned assume_swap(atomic_uint *cell, unsigned value)
{
    unsigned old = value;
    mazur_assume(atomic_compare_exchange_strong(cell, &old, value + 1));
    return old;
}

static unsigned assume_add(atomic_uint *cell, unsigned value)
{
    unsigned old = atomic_fetch_add(cell, 1);
    mazur_assume(old >= value);
    return old;
}

static unsigned assume_plain(atomic_uint *a, const atomic_uint *b, unsigned value)
{
    unsigned copy, seen = atomic_load(a);
    memcpy(&copy, (const void *)b, sizeof copy);
    mazur_assume(seen >= value || copy == value);
    return seen * 16 + copy;
}

static unsigned execute(const struct statement *statement)
{
    atomic_uint *cell = &cells[statement->cell], *other = &cells[statement->other];
    unsigned value = statement->value;
    switch (statement->kind) {
    case LOAD:
        return atomic_load(cell);
    case STORE:
        atomic_store(cell, value);
        return 0;
    case ADD:
        return atomic_fetch_add(cell, value);
    case EXPECT:
        assert(atomic_load(cell) != value + 1);
        return 0;
    case AWAIT:
        await(cell, value);
        return 0;
    case AWAIT_YIELDING:
        await_yielding(cell, value);
        return 0;
    case AWAIT_COUNTING:
        return await_counting(cell, value);
    case AWAIT_EITHER:
        return await_either(cell, value);
    case TEST_AND_SET:
        return test_and_set(cell);
    case TTAS:
        return ttas(cell);
    case UPDATE:
        return update(cell, value);
    case UPDATE_AGAIN:
        return update_again(cell, value);
    case UPDATE_GUESS:
        return update_guess(cell, value);
    case UPDATE_UNLESS:
        return update_unless(cell, value + 1);
    case UPDATE_EVEN:
        return update_even(cell, value);
    case UPDATE_TWICE:
        return update(cell, value) * 16 + update(cell, 1);
    case UPDATE_WITH:
        return update_with(cell, other);
    case UPDATE_IF:
        return update_if(cell, other, value + 1);
    case UPDATE_STALE:
        return update_stale(cell, value);
    case UPDATE_NODE:
        return update_node(cell, value);
    case UPDATE_EITHER:
        return update_either(cell, other, value);
    case WALK:
        return walk(statement->cell, value);
    case TWO_READS:
        return two_reads(cell, value);
    case TWO_CELLS:
        return two_cells(cell, other, value);
    case THREE_READS:
        return three_reads(cell, other, value);
    case STABLE:
        return stable(cell, other);
    case NESTED:
        return nested(cell, other, value);
    case STORES:
        stores(cell, other, value);
        return 0;
    case SPINS_TWICE:
        return spins_twice(cell, value);
    case PLAIN_STORE:
        plain_store(cell, value);
        return 0;
    case READS_PLAIN:
        return reads_plain(cell, other, value);
    case TRIES_PLAIN:
        return tries_plain(cell, other);
    case ASSUME:
        mazur_assume(atomic_load(cell) == value);
        return 0;
    case ASSUME_EITHER:
        return assume_either(cell, value);
    case ASSUME_BOTH:
        return assume_both(cell, other, value);
    case ASSUME_LATE:
        return assume_late(cell, other, value);
    case ASSUME_SWAP:
        return assume_swap(cell, value - 1);
    case ASSUME_ADD:
        return assume_add(cell, value);
    case ASSUME_PLAIN:
        return assume_plain(cell, other, value);
    case KINDS:
        break;
    }
    return 0;
}

static void *run_thread(void *argument)
{
    struct thread *self = argument;
    for (unsigned i = 0; i < self->count; i++)
        self->seen = outcome_mix(self->seen, execute(&self->statement[i]) + 1);
    return NULL;
}

/* Waits are half as frequent as what they wait for. */
static struct statement draw_statement(unsigned first, unsigned kinds)
{
    bool waits = draw(5) < 2;
    unsigned kind = waits ? first + draw(kinds - first) : draw(AWAIT);
    return (struct statement){(enum kind)kind, draw(CELLS - 1), draw(CELLS - 1), 1 + draw(2)};
}

static void print_program(void)
{
    for (unsigned t = 0; t < nthreads; t++)
        for (unsigned i = 0; i < threads[t].count; i++) {
            const struct statement *s = &threads[t].statement[i];
            printf("T%u: %s cell %u other %u value %u\n", t + 1, names[s->kind], s->cell,
                   s->other, s->value);
        }
}

int main(int argc, char **argv)
{
    unsigned size = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 3;
    const char *which = argc > 3 ? argv[3] : "all";
    unsigned kinds = strcmp(which, "await") == 0    ? LAST_AWAIT + 1
                     : strcmp(which, "retry") == 0  ? LAST_RETRY + 1
                     : strcmp(which, "races") == 0  ? LAST_PLAIN + 1
                     : strcmp(which, "assume") == 0 ? KINDS
                                                    : LAST_ROUNDS + 1;
    unsigned first = kinds == KINDS ? ASSUME : AWAIT;
    outcome_seed(argc > 1 ? argv[1] : "0");
    for (int i = 0; i < 8; i++)
        draw(2);
    nthreads = 2 + draw(THREADS - 1);
    for (unsigned t = 0; t < nthreads; t++) {
        threads[t].count = 1 + draw(size < STATEMENTS ? size : STATEMENTS);
        for (unsigned i = 0; i < threads[t].count; i++)
            threads[t].statement[i] = draw_statement(first, kinds);
    }
    if (argc > 4) {
        print_program();
        return 0;
    }
    outcome_file = getenv("OUTCOMES");
    for (unsigned t = 0; t < nthreads; t++)
        pthread_create(&threads[t].handle, NULL, run_thread, &threads[t]);
    uint64_t seen = 0;
    for (unsigned t = 0; t < nthreads; t++) {
        pthread_join(threads[t].handle, NULL);
        seen = outcome_mix(seen, threads[t].seen);
    }
    for (int i = 0; i < CELLS; i++)
        seen = outcome_mix(seen, cells[i]);
    report('o', seen);
    return 0;
}
