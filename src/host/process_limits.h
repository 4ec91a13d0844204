/* Limits that a user, a shell or a container sets on processes (setrlimit(2), ulimit). Mazur
 * raises its own limits as far as it may, the program under test gets the limits that were set,
 * and messages name the limit that is too low. */
#ifndef MAZUR_HOST_PROCESS_LIMITS_H
#define MAZUR_HOST_PROCESS_LIMITS_H

#include <stdbool.h>

/* For the command itself, at its start. False after a message: it can't run. */
bool limits_open(void);
/* For the process of the program, before exec: the limits as they were, except for addresses,
 * which the runtime reserves by the terabyte and hardly uses. */
void limits_for_program(void);
/* ", a limit is set (ulimit -n 20)" for an error that a limit may cause, else "". */
const char *limits_hint(int error);
/* The same for a compiler that failed: limits that are not set by default. */
const char *limits_of_compilers(void);
/* A compiler failed: because it could not start a process? True after a message that says so;
 * `what` was being compiled. */
bool limits_starve_compilers(const char *what);
/* Does the error mean that the machine lacks a resource, rather than a mistake of the user? */
bool limits_lack(int error);

/* Raise the limit on file sizes as far as we may, and restore it. */
void limits_lift_file_size(void);
void limits_restore_file_size(void);

#endif
