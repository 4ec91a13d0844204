/* The driver of the checks (selftest.h). */
#include "selftest/selftest.h"

#include <string.h>

#define SCRATCH_BYTES ((size_t)1 << 30) /* reserved, not used: pages are touched as needed */

static const char *failure_of(const struct selftest_check *check,
                              const struct synth_program *program, uint32_t limit)
{
    struct pool *pool = pool_create_private(SCRATCH_BYTES);
    struct oracle_coverage all;
    const char *failure = NULL;
    coverage_init(&all, pool);
    if (oracle_enumerate(program, limit, &all)) {
        struct selftest_case one = {pool, program, &all};
        failure = check->failure(&one);
    }
    pool_destroy_private(pool);
    return failure;
}

struct shrinking {
    const struct selftest_check *check;
    uint32_t limit;
};

static bool still_fails(const struct synth_program *program, void *argument)
{
    const struct shrinking *shrinking = argument;
    return failure_of(shrinking->check, program, shrinking->limit) != NULL;
}

static void report_failure(const struct selftest_check *check,
                           const struct synth_program *program,
                           const struct selftest_options *options)
{
    if (!options->out)
        return;
    struct synth_program smallest = *program;
    struct shrinking shrinking = {check, options->limit};
    synth_shrink(&smallest, still_fails, &shrinking);
    fprintf(options->out, "%s: %s\n", check->name,
            failure_of(check, &smallest, options->limit));
    synth_print(&smallest, options->out);
}

/* The first check that fails on a program, or NULL. *skipped: the program is too large. */
static const struct selftest_check *first_failure(const struct selftest_check *checks,
                                                  int nchecks,
                                                  const struct synth_program *program,
                                                  uint32_t limit, bool *skipped)
{
    const struct selftest_check *failed = NULL;
    struct pool *pool = pool_create_private(SCRATCH_BYTES);
    struct oracle_coverage all;
    coverage_init(&all, pool);
    *skipped = !oracle_enumerate(program, limit, &all);
    for (int i = 0; i < nchecks && !*skipped && !failed; i++) {
        struct selftest_case one = {pool_create_private(SCRATCH_BYTES), program, &all};
        if (checks[i].failure(&one))
            failed = &checks[i];
        pool_destroy_private(one.pool);
    }
    pool_destroy_private(pool);
    return failed;
}

/* Does this program have a feature that a quarter of the mixed programs have? */
static bool is_in(const struct selftest_options *options, uint64_t seed, int what)
{
    return options->mixed && (hash_mix(seed) >> (2 * what) & 3) == 0;
}

static void make_program(struct synth_program *program, uint64_t seed,
                         const struct selftest_options *options)
{
    synth_random(program, seed, false);
    if (options->glue || is_in(options, seed, 0))
        synth_glue(program, seed);
    if (options->spurious || is_in(options, seed, 1))
        synth_spurious(program);
    if (options->time_out || is_in(options, seed, 2))
        synth_time_out(program, seed, TIME_IDLE);
    if (options->any_time_out || is_in(options, seed, 3))
        synth_time_out(program, seed, TIME_ANY);
    if (options->spin || is_in(options, seed, 4))
        synth_spin(program, seed);
    if (options->check || is_in(options, seed, 5))
        synth_check(program, seed);
    if (options->copy || is_in(options, seed, 6))
        synth_copy(program, seed);
    if (options->synchronise || is_in(options, seed, 7))
        synth_synchronise(program, seed);
    if (options->touch || is_in(options, seed, 8))
        synth_touch(program, seed);
    program->nameless = options->nameless || is_in(options, seed, 9);
}

bool selftest_run(const struct selftest_check *checks, int nchecks,
                  const struct selftest_options *options, uint32_t *tried)
{
    uint32_t done = 0;
    for (uint64_t seed = options->seed; done < options->programs; seed++) {
        struct synth_program program;
        bool skipped;
        make_program(&program, seed, options);
        const struct selftest_check *failed =
            first_failure(checks, nchecks, &program, options->limit, &skipped);
        done += !skipped;
        if (tried)
            *tried = done;
        if (failed) {
            report_failure(failed, &program, options);
            return false;
        }
    }
    return true;
}
