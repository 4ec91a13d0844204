/* The strategy `replay` (replay.c): what search.c tells it. */
#ifndef MAZUR_EXPLORE_REPLAY_H
#define MAZUR_EXPLORE_REPLAY_H

#include "explore/strategy/strategy.h"

/* Gives the schedule to a replay strategy that has just been created. */
void replay_load(struct strategy *strategy, const uint32_t *schedule, uint32_t n);

#endif
