/* The runtime's static variables, as checkpoints see them (statics.c). */
#ifndef MAZUR_RUNTIME_STATICS_H
#define MAZUR_RUNTIME_STATICS_H

#include <stdbool.h>
#include <stddef.h>

/* An execution begins: notes the present state. */
void statics_note(void);
/* The same when it was noted at the beginning of an earlier execution, and the search has not
 * started over since: cheap, since little differs between two beginnings. */
void statics_note_again(void);
/* Shows the objects that belong to the execution and have changed. False: something else has
 * changed, too. */
bool statics_each_changed(void (*visit)(void *at, size_t size));

#endif
