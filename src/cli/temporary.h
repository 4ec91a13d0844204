/* Directories that must not outlive the command, whatever ends it.
 *
 * A directory made here is removed by temporary_remove(), and else when a signal ends the
 * command: Ctrl-C, kill, a terminal that was closed, a crash (embedded C of a model may well
 * crash). Only a kill that can't be caught leaves it behind. */
#ifndef MAZUR_CLI_TEMPORARY_H
#define MAZUR_CLI_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

/* The directory for temporary files: TMPDIR, or /tmp. */
const char *temporary_parent(void);
/* mkdtemp() with a promise to remove it. False with errno set. */
bool temporary_make(char *path);
/* Remove it with the files in it. */
void temporary_remove(const char *path);
/* A process that writes there and must end with us; 0: there is none any more. */
void temporary_writer(pid_t process);

#endif
