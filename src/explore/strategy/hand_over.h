/* How a strategy hands over in the middle of a search. The rules are those of `auto`, so they
 * are defined in search/auto.c, above the strategies that follow them. */
#ifndef MAZUR_EXPLORE_HAND_OVER_H
#define MAZUR_EXPLORE_HAND_OVER_H

#include "explore/strategy/strategy.h"

/* cbpor, between two traces: would `auto_after_cbpor` finish the bound sooner? `states` and
 * `steps` are those of the bound so far, over so many traces. */
bool auto_prefers_executions(int bound, uint64_t traces, uint64_t states, uint64_t steps);

/* Takes over from cbpor, at the current bound, when cbpor has too much to keep. */
extern const struct strategy_ops *const auto_after_cbpor;
/* Takes over from optimal, from the beginning, when the depth limit has cut an execution. */
extern const struct strategy_ops *const auto_after_optimal;

#endif
