/* The scout: a small share of sampling beside a search that covers everything in order.
 *
 * A search by bounds finds a failure that needs few preemptions in a program of few threads.
 * One that needs many, or has so many threads that bound 0 does not end, is found sooner by
 * chance: so `auto` lends the scout a share of the operations. It covers nothing: its
 * executions are counted in search_stats.sampled and nowhere else, and what it leaves out
 * raises no reason. A failure that it finds is one of the program; simplification then looks
 * for its least preemptions.
 *
 * The share is counted in operations, not in time, so that a search repeats itself. */
#ifndef MAZUR_EXPLORE_SCOUT_H
#define MAZUR_EXPLORE_SCOUT_H

#include "explore/search/search.h"
#include "explore/strategy/strategy.h"

#define SCOUT_WALKS 4

struct scout {
    struct search *walk[SCOUT_WALKS]; /* NULL before the first execution of the scout */
    struct search *running; /* … of the current execution; NULL: it is not the scout's */
    uint32_t next;
    uint64_t steps;
};

/* Between two executions: is the next one the scout's? If so, `running` is to run it. */
void scout_begin(struct scout *scout, struct strategy_context *context);
/* As search_pick(): gives an execution up that is much longer than those of the search. */
int scout_pick(struct scout *scout, const struct strategy_context *context,
               const struct position *pos);
/* Counts the execution. False: it failed, and the search must end. */
bool scout_end(struct scout *scout, struct strategy_context *context,
               const struct position *pos, enum outcome outcome);

#endif
