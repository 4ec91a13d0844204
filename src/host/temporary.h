/* Directories that must not outlive the command, whatever ends it.
 *
 * temporary_remove() removes a directory made here; otherwise the handler does when a signal
 * ends the command: Ctrl-C, kill, a closed terminal, a crash (embedded C of a model may crash).
 * After a signal that can't be caught the guardian removes it (guardian.h). If both are killed,
 * the next command that makes such a directory removes it: directories in use are locked. */
#ifndef MAZUR_HOST_TEMPORARY_H
#define MAZUR_HOST_TEMPORARY_H

/* The directory for temporary files: TMPDIR, or /tmp. */
const char *temporary_parent(void);
/* Make a private directory "PARENT/PREFIXxxxxxx" that will be removed; the caller frees its
 * path. NULL with errno set. */
char *temporary_make(const char *parent, const char *prefix);
/* Remove it with its contents. */
void temporary_remove(const char *path);
/* From now on a signal that ends the command also ends its tools and removes its directories.
 */
void temporary_catch_signals(void);

#endif
