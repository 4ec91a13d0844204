/* Limits that a user, a shell or a container sets on processes (setrlimit(2), ulimit), and what
 * Mazur does about them: its own needs are raised as far as the hard limit (or the right to
 * pass it) allows, the program under test gets the limits that were set, and what is not enough
 * is said with the name of the limit. */
#ifndef MAZUR_HOST_PROCESS_LIMITS_H
#define MAZUR_HOST_PROCESS_LIMITS_H

#include <stdbool.h>

/* For the command itself, at its start. False after a message: it can't even begin. */
bool limits_open(void);
/* For the process of the program, before exec: the limits as they were, but for addresses,
 * which the runtime reserves by the terabyte and hardly uses. */
void limits_for_program(void);
/* ": ulimit -n 20" and the like for an error that a limit may be behind, else "". */
const char *limits_hint(int error);
/* The same for a compiler that failed: limits that are not set by default. */
const char *limits_of_compilers(void);
/* A lack of something that the machine gives, not a mistake of the user's? */
bool limits_lack(int error);

/* Lift the limit on file sizes as far as we may, and set it again. */
void limits_lift_file_size(void);
void limits_restore_file_size(void);

#endif
