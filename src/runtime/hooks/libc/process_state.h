/* Time zone (environment.c), state of random() (libc_effects.c), message.c's last message,
 * working directory, file mode mask, limits (shared.c). */
#ifndef MAZUR_RUNTIME_PROCESS_STATE_H
#define MAZUR_RUNTIME_PROCESS_STATE_H

void zone_begin(void);          /* of an execution */
void random_begin(void);        /* … */
void messages_begin(void);      /* … */
void process_keep_limits(void); /* before the program changes its limits or its priority */
void process_restore(void);     /* after it: restores what is not memory */

#endif
