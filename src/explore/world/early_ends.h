/* Steps that have ended an execution early: by a failure, or by an assumption that did not
 * hold.
 *
 * Such a step may depend on more than its operation says: on plain memory that another thread
 * wrote before, in a data race. Then the two steps do not commute, though op_dependent() says
 * that they do:
 *
 *     A: start, data = 1      A B  ends in B: "assume(!data)" does not hold
 *     B: start, reads data    B A  B goes on
 *
 * After A was explored it sleeps while B is explored, and B would not wake it. So a strategy
 * with sleep sets notes every step that ends an execution, and from then on treats the same
 * step as one that may depend on everything, even where it does not end an execution: it wakes
 * all sleeping threads. What sleeps was explored completely, so the step has been executed
 * after it, and has ended an execution there if the two are dependent.
 *
 * A step is named by its thread and its number in it. Different steps may share a name; that
 * costs executions, never a trace. */
#ifndef MAZUR_EXPLORE_EARLY_ENDS_H
#define MAZUR_EXPLORE_EARLY_ENDS_H

#include "base/table.h"
#include "explore/world/world.h"

struct early_ends {
    struct table steps;
};

static inline void early_ends_init(struct early_ends *ends, struct pool *pool)
{
    table_init(&ends->steps, pool, sizeof(uint32_t));
}

/* Has the execution been stopped in the middle? */
static inline bool early_ends_is(enum outcome outcome)
{
    return outcome == OUTCOME_FAILED || outcome == OUTCOME_ASSUME_FAILED;
}

/* Step number `count` of the thread has ended an execution. */
static inline void early_ends_add(struct early_ends *ends, uint32_t tid, uint32_t count)
{
    table_put(&ends->steps, (uint64_t)tid + 1, count, NULL);
}

static inline bool early_ends_has(const struct early_ends *ends, uint32_t tid, uint32_t count)
{
    return ends->steps.count > 0 && table_get(&ends->steps, (uint64_t)tid + 1, count);
}

#endif
