/* What the search saw of an execution before its checkpoint (prefix.c). */
#ifndef MAZUR_RUNTIME_PREFIX_H
#define MAZUR_RUNTIME_PREFIX_H

#include <stdbool.h>

/* Starts noting; rt.notes_prefix says whether the notes are still complete. */
void prefix_begin(void);
/* The search is about to be asked for the next thread. */
void prefix_note(bool alone);
/* Shows all of it to the search again. Returns a negative answer of the search (PICK_…) as soon
 * as there is one, or 0. */
int prefix_repeat(void);

#endif
