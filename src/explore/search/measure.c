/* See measure.h. The points of a growth curve are an eighth apart, so that a few hundred of
 * them reach from the first execution to any number that can be run. */
#include "explore/search/measure.h"

void measure_init(struct measure *measure, struct strategy_context *context)
{
    if (!context->options.count_states)
        return;
    distinct_init(&measure->states, context->pool, DISTINCT_EXACT);
    measure->next_point = 1;
    context->stats.states_exact = true;
}

void measure_begin(struct measure *measure, struct strategy_context *context)
{
    static const struct hash128 initial;
    measure->blocking = 0;
    measure->follows = false;
    if (context->options.count_states)
        measure_state(measure, context, initial);
}

void measure_pick(struct measure *measure, struct strategy_context *context,
                  const struct position *pos, int tid)
{
    measure->blocking += (pos->pending[tid].flags & OP_MAY_BLOCK) != 0;
    measure->follows = context->follows;
    context->stats.transitions += !context->follows;
}

void measure_state(struct measure *measure, struct strategy_context *context,
                   struct hash128 state)
{
    distinct_add(&measure->states, state);
    context->stats.states = measure->states.count;
    context->stats.states_exact = measure->states.exact;
}

void measure_end(struct measure *measure, struct strategy_context *context, uint32_t depth)
{
    struct search_stats *stats = &context->stats;
    if (depth > stats->max_depth)
        stats->max_depth = depth;
    if (measure->blocking > stats->max_blocking)
        stats->max_blocking = measure->blocking;
    if (context->preemptions > (int)stats->max_preemptions)
        stats->max_preemptions = (uint32_t)context->preemptions;
    if (!context->options.count_states || stats->executions < measure->next_point ||
        stats->npoints == STATE_POINTS)
        return;
    stats->point[stats->npoints++] =
        (struct state_point){.executions = stats->executions, .states = stats->states};
    measure->next_point = stats->executions + stats->executions / 8 + 1;
}
