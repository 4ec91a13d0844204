/* Histories of a container's operations, and whether a serial execution explains them
 * (explore/judge/linear.h). */
#ifndef MAZUR_RUNTIME_HISTORY_H
#define MAZUR_RUNTIME_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

/* Start of an execution. */
void history_begin(void);
/* Serial phase: must the current thread continue, so that no operations overlap? */
bool history_goes_on(void);
/* Nothing can run any more. If an operation is open, the history is stuck and is judged as
 * such. Returns if no history is involved. */
void history_stuck(void);
/* The program ends: stores the history (serial phase) or judges it. */
void history_finished(void);
/* For state caching: equal states that were reached with different histories count as
 * different. */
uint64_t history_hash(uint64_t seed);
/* The search has ended. Was it the serial phase, so that the concurrent one follows? */
bool history_next_phase(void);

#endif
