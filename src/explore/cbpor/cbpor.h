/* Variants of cbpor that the tests compare with it, and its counters. */
#ifndef MAZUR_EXPLORE_CBPOR_H
#define MAZUR_EXPLORE_CBPOR_H

#include "explore/strategy/strategy.h"

/* cbpor variants that, from the first trace on, leave out prefixes beyond the horizon, forget
 * exhausted prefixes, or put operations on private objects into blocks. */
extern const struct strategy_ops cbpor_sparing;
extern const struct strategy_ops cbpor_thin;
extern const struct strategy_ops cbpor_private;
/* The same, but the first trace finds out, as one with very many prefixes does, or a later one
 * of more than 30 prefixes. */
extern const struct strategy_ops cbpor_private_late, cbpor_private_later;

/* For measurements: executions that found out whether a thread is enabled in a prefix, and the
 * number of known states. */
struct cbpor_counts {
    uint64_t probes;
    uint64_t reordered; /* prefixes that were run in another order to save preemptions */
    uint64_t restarts;  /* how often everything was forgotten: traces may have been run twice */
    uint64_t states;
    uint64_t visited; /* states that the program was in, with cbpor-1 */
};
struct cbpor_counts cbpor_counts(const struct strategy *strategy);

#endif
