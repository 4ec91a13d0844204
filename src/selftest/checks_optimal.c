/* What `optimal` must cover: one execution per trace. */
#include "selftest/selftest.h"

const char *selftest_one_per_trace(const struct selftest_case *one,
                                   const struct strategy_ops *ops, struct search_stats *stats)
{
    struct search_options options = oracle_options(ops->name, BOUND_NONE);
    struct oracle_coverage seen;
    coverage_init(&seen, one->pool);
    if (!oracle_search_custom(one->pool, one->program, ops, &options, &seen, stats))
        return "refused";
    if (coverage_missing(&one->all->deadlocks, &seen.deadlocks, -1))
        return "a deadlock is missing";
    if (coverage_missing(&one->all->classes, &seen.classes, -1))
        return "a trace is missing";
    if (coverage_missing(&one->all->locals, &seen.locals, -1))
        return "a local state is missing";
    /* A section that blocks half-way differs from one that does not (section.h); after the
     * first failure the search begins again, with less knowledge of what events do
     * (optimal.h). */
    bool exact = !synth_has_sections(one->program) && !synth_has_checks(one->program);
    if (exact && stats->executions != one->all->classes.count)
        return "more executions than traces";
    return stats->complete ? NULL : "not complete";
}

const char *selftest_optimal(const struct selftest_case *one)
{
    struct search_stats stats;
    return selftest_one_per_trace(one, &strategy_optimal, &stats);
}

#define WAITING_LIMIT 4000 /* interleavings of a program whose reads wait */

/* Reads of which the strategy asks with which values they wait (synth_must_wait): few programs
 * have many otherwise. */
static void make_waiting(const struct synth_program *program, struct synth_program *waiting)
{
    *waiting = *program;
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++) {
            struct synth_op *op = &waiting->op[tid][i];
            if (op->kind != SYNTH_READ)
                continue;
            op->kind = SYNTH_AWAIT;
            op->value = (uint8_t)((tid + i) % 3);
        }
}

const char *selftest_optimal_waiting(const struct selftest_case *one)
{
    struct synth_program program;
    struct oracle_coverage all;
    struct search_stats stats;
    make_waiting(one->program, &program);
    coverage_init(&all, one->pool);
    if (!oracle_enumerate(&program, WAITING_LIMIT, &all))
        return NULL;
    struct selftest_case waiting = {one->pool, &program, &all};
    return selftest_one_per_trace(&waiting, &strategy_optimal, &stats);
}
