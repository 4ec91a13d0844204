/* Histories of a container's operations, and whether a serial execution explains them
 * (explore/judge/linear.h). */
#ifndef MAZUR_RUNTIME_HISTORY_H
#define MAZUR_RUNTIME_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

/* Start of an execution. */
void history_begin(void);
/* Serial phase: must the current thread go on, so that no operations overlap? */
bool history_goes_on(void);
/* Nothing can run any more. With an operation pending the history is stuck, which is judged;
 * returns when it is no history's business. */
void history_stuck(void);
/* The program ends: the history is noted (serial phase) or judged. */
void history_finished(void);
/* For state caching: equal states with different histories behind them are judged apart. */
uint64_t history_hash(uint64_t seed);
/* The search has ended: was that the serial phase, so that the concurrent one follows? */
bool history_next_phase(void);

#endif
