/* Executions that do not end: the step limit, states that come back, the probe (endless.c). */
#ifndef MAZUR_RUNTIME_ENDLESS_H
#define MAZUR_RUNTIME_ENDLESS_H

#include <stdbool.h>

#include "explore/world/world.h"

/* Start of an execution. */
void endless_begin(void);
/* The execution has come to depth rt.look_at: look whether its state has come back, and end it
 * at the step limit. Returns where it goes on. */
void endless_look(void);
/* A probe: the thread to run next. */
int endless_probe_pick(const struct position *pos);
/* A probe has ended: its length decides the step limit, and the search begins again. */
void endless_probe_end(void);

#endif
