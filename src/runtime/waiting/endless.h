/* Executions that do not end: the step limit, states that come back, the probe (endless.c). */
#ifndef MAZUR_RUNTIME_ENDLESS_H
#define MAZUR_RUNTIME_ENDLESS_H

#include "explore/world/world.h"

/* Start of an execution. */
void endless_begin(void);
/* The execution has reached depth rt.look_at: checks whether its state has come back, and ends
 * it at the step limit. Returns if the execution continues. */
void endless_look(void);
/* A probe: the thread to run next. */
int endless_probe_pick(const struct position *pos);
/* A probe has ended: its length decides the step limit, and the search starts over. */
void endless_probe_end(void);

#endif
