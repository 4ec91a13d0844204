/* How a strategy hands over in the middle of a search. The rules are those of `auto`, so they
 * are defined in search/auto.c, above the strategies that follow them. */
#ifndef MAZUR_EXPLORE_HAND_OVER_H
#define MAZUR_EXPLORE_HAND_OVER_H

#include "explore/strategy/strategy.h"

/* cbpor, between two traces: would `auto_after_cbpor` finish the bound sooner? `states` and
 * `steps` are those of this bound so far, over `traces` traces. */
bool auto_prefers_executions(int bound, uint64_t traces, uint64_t states, uint64_t steps);

/* Is the decision made? From then on a search that can be split stays with cbpor. */
bool auto_has_settled(int bound, uint64_t traces);

/* Takes over from cbpor, at the current bound, when cbpor needs too much memory. */
extern const struct strategy_ops *const auto_after_cbpor;
/* Takes over from optimal, from the beginning, when the depth limit has cut an execution. */
extern const struct strategy_ops *const auto_after_optimal;

#endif
