/* A checkpoint where main creates its first thread (checkpoint.c). */
#ifndef MAZUR_RUNTIME_CHECKPOINT_H
#define MAZUR_RUNTIME_CHECKPOINT_H

#include <stdbool.h>

/* At the start of an execution that begins with main. */
void checkpoint_begin(void);
/* In main: it is about to create the first thread of this execution. */
void checkpoint_offer(void);
/* Main has stopped: did it stop at a possible checkpoint? Takes the checkpoint if possible and
 * worthwhile. */
bool checkpoint_consider(void);
bool checkpoint_is_taken(void);
/* By the settings and what was learned of the program; those on the path (path.h), too. */
bool checkpoint_is_allowed(void);
/* Does no execution decide about it now? */
bool checkpoint_is_settled(void);
/* After components_begin(): puts the execution into the state of the checkpoint. False: the
 * search gave it up on the way; it has ended. */
bool checkpoint_resume(void);
/* Between two executions: the next one begins with main again. */
void checkpoint_drop(void);

#endif
