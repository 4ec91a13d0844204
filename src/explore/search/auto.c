/* See auto.h. Which strategy searches, as a table:
 *
 *     asked for          the program                        strategy
 *     ---------          -----------                        --------
 *     auto               --count-traces                     cbpor
 *     auto               not instrumented                   icb; --bound none: dfs
 *     auto, bounds       …                                  cbpor; optimal beside it at first
 *                                                           (runtime/driver/unbounded.c)
 *     auto, no bound     …                                  optimal
 *     any that reduces   signals, cancellation, invariants  icb; --bound none: dfs
 *                        --preempt-only, --no-preempt
 *     cbpor by auto      more than AUTO_MEMORY              bpor, from the beginning
 *     cbpor by auto      too many prefixes (below)          bpor, from this bound on
 *     cbpor              too much to keep (cbpor_graph.c)   bpor, from this bound on
 *     optimal            an execution was cut               dpor, from the beginning
 *
 * Why: without a bound one execution per trace is best. With bounds cbpor runs each trace once,
 * but keeps what it has seen and works on the prefixes of a trace, of which there may be as
 * many as the product of the threads' lengths; bpor needs neither. In a program without
 * instrumentation, threads also interact in ways that Mazur does not see, so operations that
 * look independent may not be: no reduction there. */
#include "explore/search/auto.h"

#include "explore/search/strategies.h"
#include "explore/strategy/hand_over.h"

#define AUTO_TRACE_STATES 3000                  /* prefixes of one trace: some milliseconds */
#define AUTO_MEMORY       (UINT64_C(512) << 20) /* of a search that keeps states */

const struct strategy_ops *const auto_after_cbpor = &strategy_bpor;
const struct strategy_ops *const auto_after_optimal = &strategy_dpor;

/* `options` for another strategy: without those that only the previous one uses. */
static void hand_over(struct search_options *options, const struct strategy_ops *to)
{
    strategy_copy(options->strategy, sizeof options->strategy, to->name);
    if (!(to->traits & STRATEGY_TAKES_FAIR))
        options->fair = -1;
    if (!(to->traits & STRATEGY_TAKES_CSB))
        options->csb = 0;
    if (!(to->traits & STRATEGY_TAKES_CACHE))
        options->cache_states = false;
    if (!(to->traits & STRATEGY_DELAYS))
        options->delay = -1;
    if (!(to->traits & STRATEGY_BOUNDS_STEPS))
        options->step_bound = -1;
}

static const struct strategy_ops *without_reduction(const struct search_options *options)
{
    return options->bound == BOUND_NONE ? &strategy_dfs : &strategy_icb;
}

void auto_settle(struct search_options *options, bool sees_memory)
{
    if (!strategy_is(options, &strategy_auto))
        return;
    bool bounded = options->bound != BOUND_NONE;
    /* with a bound, and with a fair one, executions beyond it were not asked for */
    options->scouts = options->scout == SCOUT_ON && options->bound < 0 && options->fair < 0 &&
                      !options->must_count && !options->count_states;
    if (options->must_count) {
        hand_over(options, &strategy_cbpor);
    } else if (!sees_memory) {
        hand_over(options, without_reduction(options));
    } else {
        hand_over(options, bounded ? &strategy_cbpor : &strategy_optimal);
        options->automatic = bounded;
        options->trace_states = AUTO_TRACE_STATES;
    }
}

bool auto_reconsider(struct search_options *options, uint64_t memory)
{
    if (!options->automatic || memory <= AUTO_MEMORY || !strategy_is(options, &strategy_cbpor))
        return false;
    hand_over(options, &strategy_bpor);
    return true;
}

bool auto_leave_reductions(struct search_options *options)
{
    if (!strategy_has(options->strategy, STRATEGY_REDUCES))
        return false;
    hand_over(options, without_reduction(options));
    return true;
}

void auto_search_all(struct search_options *options)
{
    options->bound = BOUND_NONE;
    options->execs = 0;
    options->scouts = false;
    hand_over(options, &strategy_dfs);
}

/* Computing a state takes about twice the time of a step, and bpor was seen to run 1 to 2.4
 * executions per trace without preemptions, 2 to 4 with one, 3 to 8 with two, 8 to 22 with
 * three (docs/benchmarks.md): with more states per step than this, bpor is faster. Does not
 * decide before the traces of this bound are typical. */
#define LOAD_TRACES 200
/* If a search may be split, the decision is made after this many traces of a bound, or never.
 * Without preemptions traces are not typical yet. */
#define SETTLED_TRACES   1000
#define SETTLED_TRACES_0 5000

bool auto_prefers_executions(int bound, uint64_t traces, uint64_t states, uint64_t steps)
{
    static const uint32_t tenths[] = {40, 17, 25}; /* by bound: states per 10 steps */
    if (bound >= (int)(sizeof tenths / sizeof tenths[0]) || traces < LOAD_TRACES)
        return false;
    return states * 10 > steps * tenths[bound];
}

bool auto_has_settled(int bound, uint64_t traces)
{
    return bound > 2 || traces >= (bound == 0 ? SETTLED_TRACES_0 : SETTLED_TRACES);
}

/* The alias itself: search_create() replaces it before any function of it is called. */
const struct strategy_ops strategy_auto = {
    .name = "auto",
    .traits = STRATEGY_TAKES_SYMMETRIC | STRATEGY_ITERATES | STRATEGY_UNBOUNDED |
              STRATEGY_REDUCES | STRATEGY_COUNTS,
    .help = "the best of the others that is sound for the program (the default)",
};
