/* The simplest failure (explore/search/simplify.c) against brute force: on random synthetic programs
 * every interleaving is enumerated, so that the best failing one and the inflection point are
 * known, and what the strategy says is compared with that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "selftest/oracle.h"
#include "unit_size.h"

#define POOL_SIZE    ((size_t)1 << 30)
#define PROGRAMS     UNIT_SIZE(600)
#define INTERLEAVING 3000 /* programs with more of them are left out */
#define CHOICE       UINT32_C(0x80000000)

/* What fails: a deadlock, or thread 0 having this in its register after a step. The second is
 * an assertion: local to its thread, in the middle of the execution. */
struct property {
    const struct synth_program *program;
    int wrong; /* -1: deadlocks */
};

struct cost {
    uint32_t preemptions, switches, steps;
};

struct schedule {
    uint32_t choice[4 * TRACE_EVENTS];
    uint32_t count;
    struct cost cost;
};

static bool is_wrong(const struct property *property, const struct synth_state *state)
{
    return property->wrong >= 0 && state->last == 0 && state->r[0] == property->wrong;
}

static enum outcome outcome_of(const struct property *property, const struct synth_state *state)
{
    if (is_wrong(property, state))
        return OUTCOME_FAILED;
    if (synth_cut(property->program, state))
        return OUTCOME_CUT;
    if (!synth_deadlocked(property->program, state))
        return OUTCOME_FINISHED;
    return property->wrong < 0 ? OUTCOME_DEADLOCK : OUTCOME_FINISHED;
}

static bool is_over(const struct property *property, const struct synth_state *state)
{
    return is_wrong(property, state) || synth_ended(property->program, state);
}

/* --- The world, as the strategy sees it --- */

struct world {
    struct position pos;
    struct op pending[SYNTH_THREADS];
    struct op done;
};

static void look(struct world *world, const struct property *property,
                 const struct synth_state *state, uint32_t depth)
{
    const struct synth_program *program = property->program;
    world->pos = (struct position){.depth = depth,
                                   .last = state->last,
                                   .nthreads = program->nthreads,
                                   .enabled = synth_enabled_set(program, state),
                                   .alone = state->glued,
                                   .section = state->section,
                                   .pending = world->pending,
                                   .done = depth ? &world->done : NULL};
    for (int tid = 0; tid < program->nthreads; tid++)
        synth_pending(program, state, tid, &world->pending[tid]);
}

static bool execute(struct search *search, const struct property *property)
{
    struct synth_state state;
    struct world world;
    synth_begin(property->program, &state);
    search_begin(search);
    for (uint32_t depth = 0;; depth++) {
        look(&world, property, &state, depth);
        if (is_over(property, &state))
            break;
        int tid = search_pick(search, &world.pos);
        if (tid < 0)
            return search_end(search, &world.pos,
                              tid == PICK_PRUNE ? OUTCOME_PRUNED : OUTCOME_DIVERGED);
        assert_true(threadset_has(&world.pos.enabled, tid));
        int choices = synth_choices(property->program, &state, tid);
        int choice = choices > 1 ? search_choose(search, choices) : 0;
        synth_step(property->program, &state, tid, choice, &world.done);
    }
    enum outcome outcome = outcome_of(property, &state);
    world.pos.failure = outcome >= OUTCOME_FAILED;
    return search_end(search, &world.pos, outcome);
}

/* --- Brute force --- */

struct brute {
    const struct property *property;
    uint32_t interleavings;
    bool fails, all_fail;
    struct schedule path, best, worst;
};

static bool less(struct cost a, struct cost b)
{
    if (a.preemptions != b.preemptions)
        return a.preemptions < b.preemptions;
    return a.switches != b.switches ? a.switches < b.switches : a.steps < b.steps;
}

static void meet_end(struct brute *brute, const struct synth_state *state)
{
    brute->interleavings++;
    if (outcome_of(brute->property, state) < OUTCOME_FAILED) {
        brute->all_fail = false;
        return;
    }
    if (!brute->fails || less(brute->path.cost, brute->best.cost))
        brute->best = brute->path;
    if (!brute->fails || less(brute->worst.cost, brute->path.cost))
        brute->worst = brute->path;
    brute->fails = true;
}

static void enumerate(struct brute *brute, const struct synth_state *state)
{
    const struct synth_program *program = brute->property->program;
    if (brute->interleavings > INTERLEAVING)
        return;
    if (is_over(brute->property, state)) {
        meet_end(brute, state);
        return;
    }
    struct world world;
    struct schedule before = brute->path;
    look(&world, brute->property, state, before.cost.steps);
    for (int tid = 0; tid < program->nthreads; tid++) {
        if (!threadset_has(&world.pos.enabled, tid))
            continue;
        int choices = synth_choices(program, state, tid);
        for (int choice = 0; choice < choices; choice++) {
            struct synth_state next = *state;
            struct op done;
            brute->path.choice[brute->path.count++] = (uint32_t)tid;
            if (choices > 1)
                brute->path.choice[brute->path.count++] = CHOICE | (uint32_t)choice;
            brute->path.cost.steps++;
            brute->path.cost.preemptions += position_preempts(&world.pos, tid);
            brute->path.cost.switches += state->last >= 0 && state->last != tid;
            synth_step(program, &next, tid, choice, &done);
            enumerate(brute, &next);
            brute->path.count = before.count;
            brute->path.cost = before.cost;
        }
    }
}

static struct brute enumerate_from(const struct property *property,
                                   const struct synth_state *state)
{
    struct brute brute = {.property = property, .all_fail = true};
    enumerate(&brute, state);
    return brute;
}

/* The first prefix of the schedule, in steps, of which every continuation fails. */
static uint32_t inflection_of(const struct property *property, const uint32_t *choice,
                              uint32_t count)
{
    struct synth_state state;
    struct op done;
    uint32_t steps = 0;
    synth_begin(property->program, &state);
    for (uint32_t i = 0; i < count; steps++) {
        if (enumerate_from(property, &state).all_fail)
            return steps;
        int tid = (int)choice[i++];
        int value = i < count && choice[i] & CHOICE ? (int)(choice[i++] & ~CHOICE) : 0;
        synth_step(property->program, &state, tid, value, &done);
    }
    return steps;
}

/* --- Comparing --- */

static struct search *simplify(struct pool *pool, const struct property *property,
                               const struct schedule *from, struct simplify_request request)
{
    struct search_options options = oracle_options("auto", BOUND_AUTO);
    struct search *search =
        search_create_simplify(pool, from->choice, from->count, &options, &request);
    while (execute(search, property))
        ;
    return search;
}

/* How often there was something to compare: a test that compares nothing can't fail. */
static unsigned compared, inflections;

static void check(const struct property *property, bool reduce)
{
    struct synth_state start;
    synth_begin(property->program, &start);
    struct brute brute = enumerate_from(property, &start);
    if (!brute.fails || brute.interleavings > INTERLEAVING)
        return;
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct simplify_request request = {1000000, 100000000, reduce, 0};
    struct search *search = simplify(pool, property, &brute.worst, request);
    struct simplification facts;
    const uint32_t *schedule;
    uint32_t n;
    search_simplified(search, &facts, &schedule, &n);
    assert_true(facts.repeated);
    assert_true(facts.finished);
    assert_int_equal(facts.given_steps, brute.worst.cost.steps);
    assert_int_equal(facts.given_preemptions, brute.worst.cost.preemptions);
    assert_int_equal(facts.given_switches, brute.worst.cost.switches);
    compared += facts.compared && less(brute.best.cost, brute.worst.cost);
    inflections += facts.earliest && facts.inflection > 0 && facts.inflection < facts.steps;
    if (facts.compared) { /* a cut execution elsewhere leaves a bound undone */
        assert_int_equal(facts.preemptions, brute.best.cost.preemptions);
        assert_int_equal(facts.switches, brute.best.cost.switches);
        assert_int_equal(facts.steps, brute.best.cost.steps);
        assert_int_equal(facts.excluded, (int)facts.preemptions - 1);
    }
    assert_true(facts.excluded < (int)brute.best.cost.preemptions);
    uint32_t inflection = inflection_of(property, schedule, n);
    if (facts.inflection != UINT32_MAX && facts.earliest)
        assert_int_equal(facts.inflection, inflection);
    else if (facts.inflection != UINT32_MAX)
        assert_true(facts.inflection >= inflection);
    pool_destroy_private(pool);
}

static void the_simplest_failure_is_that_of_brute_force(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct synth_program program;
        synth_random(&program, seed, false);
        if (seed % 3 == 0)
            synth_glue(&program, seed);
        for (int wrong = -1; wrong <= 2; wrong++)
            check(&(struct property){&program, wrong}, seed % 2);
    }
    assert_true(compared > UNIT_SIZE(100));
    assert_true(inflections > UNIT_SIZE(50));
}

/* Two threads that take two locks in opposite order; the second does something else before. */
static const struct synth_program crossed_locks = {
    .nthreads = 2,
    .bare = true,
    .nops = {4, 6},
    .op = {{{.kind = SYNTH_LOCK, .object = 0},
            {.kind = SYNTH_LOCK, .object = 1},
            {.kind = SYNTH_UNLOCK, .object = 1},
            {.kind = SYNTH_UNLOCK, .object = 0}},
           {{.kind = SYNTH_WRITE, .object = 1},
            {.kind = SYNTH_WRITE, .object = 1},
            {.kind = SYNTH_LOCK, .object = 1},
            {.kind = SYNTH_LOCK, .object = 0},
            {.kind = SYNTH_UNLOCK, .object = 0},
            {.kind = SYNTH_UNLOCK, .object = 1}}},
};

static struct brute crossed(const struct property *property)
{
    struct synth_state start;
    synth_begin(property->program, &start);
    return enumerate_from(property, &start);
}

static void without_budget_it_is_simpler_but_nothing_is_claimed(void **state)
{
    (void)state;
    struct property property = {&crossed_locks, -1};
    struct brute brute = crossed(&property);
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct simplify_request request = {8, 100000, true, 0};
    struct simplification facts;
    const uint32_t *schedule;
    uint32_t n;
    assert_true(brute.worst.cost.preemptions > 1);
    search_simplified(simplify(pool, &property, &brute.worst, request), &facts, &schedule, &n);
    assert_true(facts.repeated);
    assert_true(facts.cut);
    assert_false(facts.compared);
    assert_true(facts.excluded < (int)brute.best.cost.preemptions);
    struct cost cost = {facts.preemptions, facts.switches, facts.steps};
    assert_true(less(cost, brute.worst.cost));
    pool_destroy_private(pool);
}

static void what_does_not_fail_is_left_alone(void **state)
{
    (void)state;
    struct property property = {&crossed_locks, -1};
    struct schedule good = {.choice = {0, 0, 0, 0}, .count = 4};
    struct pool *pool = pool_create_private(POOL_SIZE);
    struct simplification facts;
    const uint32_t *schedule;
    uint32_t n;
    struct search *search =
        simplify(pool, &property, &good, (struct simplify_request){100, 10000, true, 0});
    search_simplified(search, &facts, &schedule, &n);
    assert_false(facts.repeated);
    assert_int_equal(search_stats(search)->executions, 1);
    pool_destroy_private(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_simplest_failure_is_that_of_brute_force),
        cmocka_unit_test(without_budget_it_is_simpler_but_nothing_is_claimed),
        cmocka_unit_test(what_does_not_fail_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
