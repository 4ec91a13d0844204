/* Checkpoints on the path of the search (path.c). */
#ifndef MAZUR_RUNTIME_PATH_H
#define MAZUR_RUNTIME_PATH_H

#include <stdbool.h>

/* An execution begins, after the components have. True: it goes on at a checkpoint, in the
 * thread that is rt.self now. */
bool path_begin(void);
/* The current thread has arrived at an operation: may stop it for the driver, … */
void path_offer(void);
/* … which may save the execution now. True: that was why the thread has stopped. */
bool path_consider(void);
/* Between executions: forgets all checkpoints. */
void path_drop(void);

#endif
