/* Time zone, working directory, file mode mask, limits (libc_effects.c, shared.c). */
#ifndef MAZUR_RUNTIME_PROCESS_STATE_H
#define MAZUR_RUNTIME_PROCESS_STATE_H

void zone_begin(void);          /* of an execution */
void process_keep_limits(void); /* before the program changes its limits or its priority */
void process_restore(void);     /* after it: restores what is not memory */

#endif
