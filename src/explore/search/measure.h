/* What the tables and figures of the papers count, besides executions and traces:
 *
 *   - of any one execution, the most steps K, operations that may block B, and preemptions c
 *     (paper 003, Table 1);
 *   - transitions (paper 004, section 5): steps without those of replayed prefixes;
 *   - with --count-states the happens-before states that were visited, by bound and against
 *     the number of executions (paper 003, sections 2.1 and 4.4; paper 000, section 4).
 *
 * None of it decides what is searched or claimed. */
#ifndef MAZUR_EXPLORE_MEASURE_H
#define MAZUR_EXPLORE_MEASURE_H

#include "explore/strategy/strategy.h"
#include "explore/world/distinct.h"

struct measure {
    struct distinct states;
    uint64_t next_point; /* executions at which the states are noted next */
    uint32_t blocking;   /* of this execution */
    bool follows;        /* its last step repeats one of an earlier execution */
};

void measure_init(struct measure *measure, struct strategy_context *context);
void measure_begin(struct measure *measure, struct strategy_context *context);
/* The strategy has answered, or `tid` continues in its atomic section. */
void measure_pick(struct measure *measure, struct strategy_context *context,
                  const struct position *pos, int tid);
void measure_state(struct measure *measure, struct strategy_context *context,
                   struct hash128 state);
/* The execution has been counted. */
void measure_end(struct measure *measure, struct strategy_context *context, uint32_t depth);

#endif
