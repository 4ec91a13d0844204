/* Directories that must not outlive the command, whatever ends it.
 *
 * A directory made here is removed by temporary_remove(), and else when a signal ends the
 * command: Ctrl-C, kill, a terminal that was closed, a crash (embedded C of a model may well
 * crash). After a kill that can't be caught the guardian removes it (guardian.h); and should
 * both be killed, the next command that makes such a directory: a living one is locked. */
#ifndef MAZUR_HOST_TEMPORARY_H
#define MAZUR_HOST_TEMPORARY_H

/* The directory for temporary files: TMPDIR, or /tmp. */
const char *temporary_parent(void);
/* A new private directory "PARENT/PREFIXxxxxxx", with a promise to remove it; the caller frees
 * its path. NULL with errno set. */
char *temporary_make(const char *parent, const char *prefix);
/* Remove it with all that is in it. */
void temporary_remove(const char *path);
/* From now on a signal that ends the command ends its tools and directories, too. */
void temporary_catch_signals(void);

#endif
