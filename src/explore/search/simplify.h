/* The strategy `simplify` (simplify.c): what search.c tells it, and what comes out of it. */
#ifndef MAZUR_EXPLORE_SIMPLIFY_H
#define MAZUR_EXPLORE_SIMPLIFY_H

#include "explore/search/search.h"
#include "explore/strategy/strategy.h"

/* Gives the schedule of a failure to a simplify strategy that has just been created. */
void simplify_load(struct strategy *strategy, const uint32_t *schedule, uint32_t n,
                   const struct simplify_request *request);
void simplify_result(const struct strategy *strategy, struct simplification *facts,
                     const uint32_t **schedule, uint32_t *n);

#endif
