/* Variants of cbpor that the tests compare with it, and its counters. */
#ifndef MAZUR_EXPLORE_CBPOR_H
#define MAZUR_EXPLORE_CBPOR_H

#include "explore/strategy/strategy.h"

/* cbpor that leaves out prefixes beyond its horizon, or forgets those that nothing is left of,
 * or puts operations on private objects into blocks, from the first trace on. */
extern const struct strategy_ops cbpor_sparing;
extern const struct strategy_ops cbpor_thin;
extern const struct strategy_ops cbpor_private;

/* Executions that found out whether a thread is enabled in a prefix, and how many states are
 * known: for measurements. */
struct cbpor_counts {
    uint64_t probes;
    uint64_t reordered; /* prefixes that were run in another order to save preemptions */
    uint64_t restarts; /* times that everything was forgotten: traces may have been run twice */
    uint64_t states;
    uint64_t visited; /* states that the program was in, with cbpor-1 */
};
struct cbpor_counts cbpor_counts(const struct strategy *strategy);

#endif
