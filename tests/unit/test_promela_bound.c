/* The level search against the naive interpreter: for every bound exactly the states within it,
 * and the fewest preemptions of any failure. Appendix C of paper 001 and the two-process model
 * of docs/promela.md are fixed cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "promela/levels.h"
#include "promela/verifier.h"
#include "promela_oracle.h"

#define MODELS 150 /* MAZUR_ORACLE_MODELS in the environment overrides it */

struct outcome {
    long states[ORACLE_BOUNDS];
    int levels;
    int failure_bound;
    u64 total; /* of the plain depth-first search */
    bool failed_plain;
};

static void note_level(void *context, int bound, struct level_result result)
{
    struct outcome *o = context;
    if (bound < ORACLE_BOUNDS)
        o->states[bound] = (long)result.states;
    o->levels = bound + 1;
}

static char *write_model(const char *text, const struct oracle_model *model)
{
    static char path[64];
    strcpy(path, "/tmp/mazur-oracle-XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *out = fdopen(descriptor, "w");
    if (text != NULL)
        fputs(text, out);
    else
        oracle_write(model, out);
    fclose(out);
    return path;
}

static struct outcome run(const char *path, int bound, bool keep_going, bool optimize)
{
    struct outcome o = {.failure_bound = -1};
    struct model_options options = {.file = path,
                                    .bound = bound,
                                    .bound_given = true,
                                    .keep_going = keep_going,
                                    .optimize = optimize,
                                    .por = optimize,
                                    .memory = (size_t)1 << 30};
    struct model_load_options load = {0};
    struct property safety = {0};
    struct verifier v = {.options = &options, .model = model_load(path, &load)};
    assert_non_null(v.model);
    assert_true(verifier_prepare(&v, &safety));
    search_levels_observed(&v, note_level, &o);
    if (v.trail.violation != VIOLATION_NONE)
        o.failure_bound = v.trail.preemptions;
    assert_false(v.truncated);
    for (int b = o.levels; b > 0 && b < ORACLE_BOUNDS; b++)
        o.states[b] = o.states[b - 1]; /* nothing lies beyond */
    trail_free(&v.trail);
    search_dfs(&v);
    o.total = v.states;
    o.failed_plain = v.trail.violation != VIOLATION_NONE;
    verifier_release(&v);
    model_free(v.model);
    return o;
}

static void random_models(void **state)
{
    (void)state;
    int used = 0, no_vector = 0, no_revisit = 0, failing = 0;
    const char *wanted = getenv("MAZUR_ORACLE_MODELS");
    int models = wanted != NULL ? atoi(wanted) : MODELS;
    for (uint64_t seed = 1; used < models; seed++) {
        struct oracle_model *m = oracle_random(seed);
        struct oracle_result expected = oracle_explore(m, RULE_RIGHT);
        if (expected.too_large) {
            oracle_free(m);
            continue;
        }
        used++;
        char *path = write_model(NULL, m);
        struct outcome found = run(path, ORACLE_BOUNDS - 1, true, false);
        for (int b = 0; b < ORACLE_BOUNDS; b++)
            if (found.states[b] != expected.states[b])
                fail_msg("seed %llu, bound %d: %ld states, the interpreter has %ld (%s)",
                         (unsigned long long)seed, b, found.states[b], expected.states[b],
                         path);
        if (found.failure_bound != expected.failure_bound)
            fail_msg("seed %llu: failure at bound %d, the interpreter has %d (%s)",
                     (unsigned long long)seed, found.failure_bound, expected.failure_bound,
                     path);
        struct outcome merged = run(path, ORACLE_BOUNDS - 1, true, true);
        if (merged.failure_bound != expected.failure_bound || merged.total > found.total ||
            merged.failed_plain != found.failed_plain)
            fail_msg("seed %llu, reduced: failure at bound %d, not %d; %llu states (%s)",
                     (unsigned long long)seed, merged.failure_bound, expected.failure_bound,
                     merged.total, path);
        failing += expected.failure_bound >= 0;
        struct oracle_result mutant = oracle_explore(m, RULE_NO_PID_VECTOR);
        no_vector += memcmp(mutant.states, expected.states, sizeof mutant.states) != 0;
        mutant = oracle_explore(m, RULE_NO_REVISIT);
        no_revisit += memcmp(mutant.states, expected.states, sizeof mutant.states) != 0;
        unlink(path);
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
    struct outcome o = run(path, 2, true, false);
    for (int b = 0; b < 3; b++)
        assert_int_equal(o.states[b], truth[b]);
    assert_int_equal(o.total, 88573);
    unlink(path);
}

static void two_processes(void **state)
{
    (void)state;
    char *path = write_model("byte x,y,z;\n"
                             "active proctype A(){x=1;(y>0);z=1}\n"
                             "active proctype B(){y=1;(x>0);assert(z==1)}\n",
                             NULL);
    struct outcome o = run(path, 0, false, true);
    assert_int_equal(o.failure_bound, 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes),
        cmocka_unit_test(appendix_c),
        cmocka_unit_test(random_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
