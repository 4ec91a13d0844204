/* The searches against the naive interpreter. With a bound, exactly: for every bound the states
 * within it and the fewest preemptions of any failure, by one worker and by several, in order
 * of cost, with hashes. With reduction: the same verdicts. Appendix C of paper 001 and the
 * two-process model of docs/promela.md are fixed cases.
 *
 * tests/mutants/run.sh builds this test with engines that are wrong on purpose
 * (tests/mutants/promela) and sees it fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "host/temporary.h"
#include "promela/search/levels.h"
#include "promela/verifier/verifier.h"
#include "promela_oracle.h"
#include "ranks_in_one.h"
#include "unit_size.h"

#define MODELS UNIT_SIZE(150) /* MAZUR_ORACLE_MODELS in the environment overrides it */

struct outcome {
    long states[ORACLE_BOUNDS], transitions[ORACLE_BOUNDS];
    int levels;
    bool failed;
    int length;        /* of the failure, in steps */
    int switches;      /* … in switches, where it is the cheapest */
    int failure_bound; /* of the failure found, -1: none, or not counted */
    long total;
};

/* How to search; model_options has the rest. */
struct way {
    const char *name;
    void (*search)(struct verifier *, level_done *, void *);
    enum model_search order;
    enum model_store store;
    int jobs;
    bool reduced;
    bool frugal; /* takes few steps more than once */
};

static void reach(struct verifier *v, level_done *done, void *context)
{
    (void)done, (void)context;
    search_reach(v);
}

/* Over five ranks, in another order each time. */
static void over_ranks(struct verifier *v, level_done *done, void *context)
{
    static uint64_t seed;
    struct ranks_setup setup = {
        .ranks = 5, .seed = ++seed, .spread = {.done = done, .context = context}};
    search_ranks(v, &setup);
}

/* With a bound. */
static const struct way bounded[] = {
    {"five ranks", over_ranks, SEARCH_DFS, STORE_EXACT, 5, false, true},
    {"one worker", search_bound, SEARCH_DFS, STORE_EXACT, 1, false, true},
    {"three workers", search_bound, SEARCH_DFS, STORE_EXACT, 3, false, true},
    {"in order of cost", search_fewest, SEARCH_FEWEST, STORE_EXACT, 1, false, false},
    {"64-bit hashes", search_stack, SEARCH_DFS, STORE_COMPACT, 1, false, false},
    {"bitstate", search_stack, SEARCH_DFS, STORE_BITSTATE, 1, false, false},
    {"one worker, reduced", search_bound, SEARCH_DFS, STORE_EXACT, 1, true, false},
    {"three workers, reduced", search_bound, SEARCH_DFS, STORE_EXACT, 3, true, false},
    {"64-bit hashes, reduced", search_stack, SEARCH_DFS, STORE_COMPACT, 1, true, false},
};

/* Without. */
static const struct way unbounded[] = {
    {"five ranks", over_ranks, SEARCH_DFS, STORE_EXACT, 5, false, false},
    {"one worker", reach, SEARCH_DFS, STORE_EXACT, 1, false, false},
    {"three workers", reach, SEARCH_DFS, STORE_EXACT, 3, false, false},
    {"breadth first", search_fewest, SEARCH_BFS, STORE_EXACT, 1, false, false},
    {"64-bit hashes", search_stack, SEARCH_DFS, STORE_COMPACT, 1, false, false},
    {"bitstate", search_stack, SEARCH_DFS, STORE_BITSTATE, 1, false, false},
    {"one worker, reduced", reach, SEARCH_DFS, STORE_EXACT, 1, true, false},
    {"three workers, reduced", reach, SEARCH_DFS, STORE_EXACT, 3, true, false},
    {"64-bit hashes, reduced", search_stack, SEARCH_DFS, STORE_COMPACT, 1, true, false},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void note_level(void *context, int bound, struct level_result result)
{
    struct outcome *o = context;
    if (bound < ORACLE_BOUNDS) {
        o->states[bound] = (long)result.states;
        o->transitions[bound] = (long)result.transitions;
    }
    o->levels = bound + 1;
}

static const char *const formulas[] = {
    "ltl f { [] (g0 == 1 -> <> (g1 == 0)) }\n",
    "ltl f { <> [] (g2 != 1) }\n",
    "ltl f { [] <> (g0 == 0) || <> (g1 == 2) }\n",
    "ltl f { (g1 != 2) U (g0 == 1) }\n",
};

static char *write_model(const char *text, const struct oracle_model *model)
{
    static char path[160];
    snprintf(path, sizeof path, "%.100s/mazur-oracle-XXXXXX", temporary_parent());
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *out = fdopen(descriptor, "w");
    if (text)
        fputs(text, out);
    else
        oracle_write(model, NULL, out);
    fclose(out);
    return path;
}

/* A prepared model, to be searched in several ways. */
struct subject {
    struct model_options options;
    struct verifier verifier;
};

static void prepare(struct subject *t, const char *path, bool optimize, bool reduced)
{
    struct model_load_options load = {0};
    struct property safety = {0};
    memset(t, 0, sizeof *t);
    t->options = (struct model_options){.file = path,
                                        .optimize = optimize,
                                        .por = reduced,
                                        .por_given = reduced,
                                        .tier = 1,
                                        .memory = (size_t)1 << 30,
                                        .bit_memory = (size_t)1 << 24};
    t->verifier = (struct verifier){.options = &t->options, .model = model_load(path, &load)};
    assert_non_null(t->verifier.model);
    assert_true(verifier_prepare(&t->verifier, &safety));
}

static void release(struct subject *t)
{
    struct model *model = t->verifier.model;
    verifier_release(&t->verifier);
    model_free(model);
}

static struct outcome run(struct subject *t, const struct way *way, int bound, bool keep_going)
{
    struct outcome o = {.failure_bound = -1};
    struct verifier v = t->verifier;
    t->options.bound = bound;
    t->options.bound_given = bound != MODEL_BOUND_NONE;
    t->options.keep_going = keep_going;
    t->options.search = way->order;
    t->options.store = way->store;
    t->options.jobs = way->jobs;
    v.trail.preemptions = 0;
    way->search(&v, note_level, &o);
    if (v.trail.violation != VIOLATION_NONE) {
        o.failed = true;
        o.length = (int)v.trail.count;
        o.switches = v.trail.switches;
        o.failure_bound = v.trail.preemptions;
        assert_true(v.trail.count > 0 || v.trail.violation == VIOLATION_END);
    }
    assert_false(v.truncated);
    for (int b = o.levels; b > 0 && b < ORACLE_BOUNDS; b++)
        o.states[b] = o.states[b - 1]; /* nothing lies beyond */
    o.total = (long)v.states;
    trail_free(&v.trail);
    return o;
}

/* Every step that the definition allows is taken, and not more than twice as many are (that by
 * one worker: how often several meet the same state is up to the machine). The initial state
 * counts as one, as it does for Spin. */
static void compare_steps(const struct way *way, const struct outcome *found,
                          const struct oracle_result *expected, uint64_t seed)
{
    for (int b = 0; b < found->levels && b < ORACLE_BOUNDS; b++) {
        long taken = found->transitions[b] - 1, needed = expected->steps[b];
        if (taken < needed || (way->jobs == 1 && taken > 2 * needed))
            fail_msg("seed %llu, %s, bound %d: %ld transitions, the interpreter needs %ld",
                     (unsigned long long)seed, way->name, b, taken, needed);
    }
}

/* Exactly the interpreter's states per bound; with reduction, its failures. */
static void compare_bounded(struct subject *t, const struct way *way,
                            const struct oracle_result *expected, uint64_t seed)
{
    /* hashes: the search ends at the first failure */
    bool all = way->store == STORE_EXACT;
    struct outcome found = run(t, way, ORACLE_BOUNDS - 1, all);
    for (int b = 0; b < ORACLE_BOUNDS && !way->reduced; b++)
        if ((all || expected->failure_bound < 0 || b < expected->failure_bound) &&
            found.states[b] != expected->states[b])
            fail_msg("seed %llu, %s, bound %d: %ld states, the interpreter has %ld",
                     (unsigned long long)seed, way->name, b, found.states[b],
                     expected->states[b]);
    if (way->frugal)
        compare_steps(way, &found, expected, seed);
    /* reduction counts at most what the definition counts (paper 001, Theorem 2) */
    int most = expected->failure_bound;
    if (most < 0 && way->reduced)
        return;
    if (way->reduced ? found.failure_bound < 0 || found.failure_bound > most
                     : found.failure_bound != most)
        fail_msg("seed %llu, %s: failure at bound %d, the interpreter has %d",
                 (unsigned long long)seed, way->name, found.failure_bound, most);
}

static void compare_unbounded(struct subject *t, const struct way *way, bool fails, long states,
                              uint64_t seed)
{
    struct outcome found = run(t, way, MODEL_BOUND_NONE, !fails);
    if (found.failed != fails)
        fail_msg("seed %llu, %s: a failure is %s", (unsigned long long)seed, way->name,
                 fails ? "missed" : "found that is none");
    if (!fails && (way->reduced ? found.total > states : found.total != states))
        fail_msg("seed %llu, %s: %ld states, not %ld", (unsigned long long)seed, way->name,
                 found.total, states);
}

/* The search in order of cost ends at the cheapest failure. */
static void compare_cost(struct subject *t, const struct oracle_model *m, uint64_t seed)
{
    struct oracle_cost cheapest = oracle_cheapest(m);
    struct way way = {
        "in order of cost", search_fewest, SEARCH_FEWEST, STORE_EXACT, 1, false, false};
    struct outcome found = run(t, &way, MODEL_BOUND_AUTO, false);
    if (found.failed != cheapest.any ||
        (cheapest.any &&
         (found.failure_bound != cheapest.preemptions || found.switches != cheapest.switches ||
          found.length != cheapest.length)))
        fail_msg("seed %llu: %d preemptions, %d switches, %d steps; the cheapest failure has "
                 "%d, %d, %d",
                 (unsigned long long)seed, found.failure_bound, found.switches, found.length,
                 cheapest.preemptions, cheapest.switches, cheapest.length);
}

static void compare(const struct oracle_model *m, const struct oracle_result *expected,
                    uint64_t seed)
{
    struct subject plain, reduced;
    char *path = write_model(NULL, m);
    prepare(&plain, path, false, false);
    prepare(&reduced, path, seed % 2 == 0, true); /* unmerged, more steps are safe */
    for (size_t i = 0; i < COUNT(bounded); i++)
        compare_bounded(bounded[i].reduced ? &reduced : &plain, &bounded[i], expected, seed);
    for (size_t i = 0; i < COUNT(unbounded); i++)
        compare_unbounded(unbounded[i].reduced ? &reduced : &plain, &unbounded[i],
                          expected->failure, expected->all, seed);
    compare_cost(&plain, m, seed);
    release(&plain);
    release(&reduced);
    unlink(path);
}

/* Once each: a state that is met first with fewer preemptions but more switches; a failure that
 * an atomic sequence reaches in two ways, the longer one first. */
static void cheapest_failures(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {116, 916};
    for (size_t i = 0; i < COUNT(seeds); i++) {
        struct oracle_model *m = oracle_random(seeds[i]);
        struct subject subject;
        char *path = write_model(NULL, m);
        prepare(&subject, path, false, false);
        compare_cost(&subject, m, seeds[i]);
        release(&subject);
        unlink(path);
        oracle_free(m);
    }
}

static void random_models(void **state)
{
    (void)state;
    int used = 0, no_vector = 0, no_revisit = 0, failing = 0;
    const char *wanted = getenv("MAZUR_ORACLE_MODELS");
    int models = wanted ? atoi(wanted) : MODELS;
    for (uint64_t seed = 1; used < models; seed++) {
        struct oracle_model *m = oracle_random(seed);
        struct oracle_result expected = oracle_explore(m, RULE_RIGHT);
        if (!expected.too_large) {
            used++;
            compare(m, &expected, seed);
            failing += expected.failure_bound >= 0;
            struct oracle_result mutant = oracle_explore(m, RULE_NO_PID_VECTOR);
            no_vector += memcmp(mutant.states, expected.states, sizeof mutant.states) != 0;
            mutant = oracle_explore(m, RULE_NO_REVISIT);
            no_revisit += memcmp(mutant.states, expected.states, sizeof mutant.states) != 0;
        }
        oracle_free(m);
    }
    /* the models can tell the right rule from the wrong ones */
    assert_true(no_vector > 0);
    assert_true(no_revisit > 0);
    assert_true(failing > models / 10 && failing < models);
}

static void appendix_c(void **state)
{
    (void)state;
    static const long truth[] = {8960, 25599, 48128};
    char *path =
        write_model("int count;\nactive [10] proctype p() { count++; count-- }\n", NULL);
    struct subject t;
    prepare(&t, path, false, false);
    for (size_t i = 0; i < COUNT(bounded) && !bounded[i].reduced; i++) {
        if (bounded[i].store == STORE_BITSTATE)
            continue; /* some of so many are confused in its array */
        struct outcome o = run(&t, &bounded[i], 2, true);
        for (int b = 0; b < 3; b++)
            assert_int_equal(o.states[b], truth[b]);
    }
    assert_int_equal(run(&t, &unbounded[1], MODEL_BOUND_NONE, true).total, 88573);
    release(&t);
    unlink(path);
}

static void two_processes(void **state)
{
    (void)state;
    char *path = write_model("byte x,y,z;\n"
                             "active proctype A(){x=1;(y>0);z=1}\n"
                             "active proctype B(){y=1;(x>0);assert(z==1)}\n",
                             NULL);
    struct subject t;
    prepare(&t, path, true, true);
    for (size_t i = 0; i < COUNT(bounded); i++)
        assert_int_equal(run(&t, &bounded[i], 0, false).failure_bound, 0);
    release(&t);
    unlink(path);
}

/* Paper 001, section 3.3: P, P, preempted by Q's safe step, Q. Reduction takes the safe step
 * first; who forgets that it was safe counts three switches where one is needed. */
static void safe_steps(void **state)
{
    (void)state;
    char *path = write_model("byte a;\n"
                             "active proctype P() { a = 1; a = 2; a = 3; a = 4 }\n"
                             "active proctype Q() { byte x; x = 1; assert(a != 2) }\n",
                             NULL);
    struct subject t;
    prepare(&t, path, false, true);
    for (size_t i = 0; i < COUNT(bounded); i++) {
        struct outcome o = run(&t, &bounded[i], 3, false);
        assert_true(o.failed);
        assert_in_range(o.failure_bound, bounded[i].reduced ? 0 : 1, 1);
    }
    release(&t);
    unlink(path);
}

/* Safe steps may enable others. P's receive, taken early, makes room for Q's second message, so
 * Q is not blocked when R has to come: that must not count, or R's failure, which one
 * preemption reaches, costs two. (S keeps Q's sends from being safe themselves.) */
static void safe_steps_enable(void **state)
{
    (void)state;
    char *path =
        write_model("chan c = [1] of { byte };\nbyte x, y, a, rx;\n"
                    "active proctype Q() { c!1; x = 1; end: c!2; y = 1; a = 1; a = 0 }\n"
                    "active proctype P() { byte z; end: c?z; end1: (rx == 1); end2: c?z }\n"
                    "active proctype R() { end: (x == 1 && y == 0); rx = 1; end1: (a == 1); "
                    "assert(false) }\n"
                    "active proctype S() { end: (a == 9); c!3 }\n",
                    NULL);
    struct subject t;
    prepare(&t, path, false, true);
    for (size_t i = 0; i < COUNT(bounded); i++) {
        assert_false(run(&t, &bounded[i], 0, false).failed);
        assert_true(run(&t, &bounded[i], 1, false).failed);
    }
    release(&t);
    unlink(path);
}

/* A stack of ten thousand states, most of it folded (folded.h), and a table of hashes that
 * grows: the failure at its end is shown from the first step on, and all is searched that lies
 * off the way. */
static void deep_stacks(void **state)
{
    (void)state;
    char *path =
        write_model("int n;\n"
                    "active proctype P() { do :: n < 5000 -> n++ :: else -> break od;\n"
                    "  assert(n != 5000) }\n",
                    NULL);
    struct subject t;
    prepare(&t, path, false, false);
    struct outcome expected = run(&t, &unbounded[2], MODEL_BOUND_NONE, false);
    assert_true(expected.failed && expected.length > 10000);
    for (size_t i = 0; i < COUNT(unbounded); i++) {
        struct outcome o = run(&t, &unbounded[i], MODEL_BOUND_NONE, i % 2 == 0);
        assert_true(o.failed);
        assert_int_equal(o.length, expected.length);
    }
    for (size_t i = 0; i < COUNT(bounded); i++)
        assert_int_equal(run(&t, &bounded[i], 0, false).length, expected.length);
    release(&t);
    unlink(path);
    path = write_model("byte a, b;\n"
                       "active proctype P() { do :: a < 200 -> a++ :: a > 0 -> a-- od }\n"
                       "active proctype Q() { do :: b < 200 -> b++ :: b > 0 -> b-- od }\n",
                       NULL);
    prepare(&t, path, false, false);
    long states = run(&t, &unbounded[0], MODEL_BOUND_NONE, true).total;
    assert_int_equal(run(&t, &unbounded[3], MODEL_BOUND_NONE, true).total, states);
    release(&t);
    unlink(path);
}

struct verdict {
    bool violated, pruned;
    uint64_t states;
};

static struct verdict check_formula(const char *path, bool reduced, int bound)
{
    struct model_options options = {.file = path,
                                    .optimize = false, /* unmerged, more steps are safe */
                                    .por = reduced,
                                    .por_given = reduced,
                                    .bound = bound,
                                    .tier = 1,
                                    .jobs = 1,
                                    .memory = (size_t)1 << 30};
    struct model_load_options load = {0};
    struct verifier v = {.options = &options, .model = model_load(path, &load)};
    assert_non_null(v.model);
    struct property property = {.formula = v.model->formulas};
    assert_true(verifier_prepare(&v, &property));
    search_cycles(&v, NULL, NULL);
    assert_false(v.truncated);
    struct verdict result = {v.trail.violation != VIOLATION_NONE, v.bound_pruned, v.states};
    struct model *model = v.model;
    verifier_release(&v);
    model_free(model);
    return result;
}

/* Reduction keeps the verdict; what a bound finds is there without it, and a bound that cut
 * nothing off finds what is there. Both together find what the bound alone finds, and nothing
 * that is not there. */
static void random_formulas(void **state)
{
    (void)state;
    int used = 0, violated = 0, smaller = 0, within = 0;
    for (uint64_t seed = 1; used < MODELS; seed++) {
        struct oracle_model *m = oracle_random(seed);
        if (!oracle_explore(m, RULE_RIGHT).too_large) {
            char *path = write_model(NULL, m);
            FILE *out = fopen(path, "a");
            assert_non_null(out);
            fputs(formulas[used % COUNT(formulas)], out);
            fclose(out);
            struct verdict full = check_formula(path, false, MODEL_BOUND_NONE);
            struct verdict reduced = check_formula(path, true, MODEL_BOUND_NONE);
            struct verdict bounded_one = check_formula(path, false, 1);
            if (full.violated != reduced.violated)
                fail_msg("seed %llu: with reduction %d, without %d", (unsigned long long)seed,
                         reduced.violated, full.violated);
            if (bounded_one.violated ? !full.violated : full.violated && !bounded_one.pruned)
                fail_msg("seed %llu: within the bound %d, without %d", (unsigned long long)seed,
                         bounded_one.violated, full.violated);
            struct verdict both = check_formula(path, true, 1);
            if (both.violated ? !full.violated
                              : bounded_one.violated || (full.violated && !both.pruned))
                fail_msg("seed %llu: reduced within the bound %d, not reduced %d, without %d",
                         (unsigned long long)seed, both.violated, bounded_one.violated,
                         full.violated);
            smaller += reduced.states < full.states;
            violated += full.violated;
            within += bounded_one.violated;
            used++;
            unlink(path);
        }
        oracle_free(m);
    }
    assert_true(violated > MODELS / 10 && violated < MODELS);
    assert_true(within > 0 && within <= violated);
    assert_true(smaller > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes),   cmocka_unit_test(safe_steps),
        cmocka_unit_test(deep_stacks),     cmocka_unit_test(appendix_c),
        cmocka_unit_test(random_models),   cmocka_unit_test(cheapest_failures),
        cmocka_unit_test(random_formulas), cmocka_unit_test(safe_steps_enable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
