/* A process beside the command that tidies up when the command is killed.
 *
 *     mazur ──── "this directory", "this process group", "done with it" ─▶ guardian
 *       ✝ by any means: the wire closes ───────────────────────────▶ kill, remove, end
 *
 * The command itself handles signals that can be caught (temporary.c). It can't handle SIGKILL,
 * the out-of-memory killer and its own crashes, and a running compiler has children that
 * PR_SET_PDEATHSIG does not reach. The guardian starts before the first of them, has its own
 * session, and holds no descriptor except its wire. If it can't be started, the command
 * continues without it. */
#ifndef MAZUR_HOST_GUARDIAN_H
#define MAZUR_HOST_GUARDIAN_H

#include <sys/types.h>

/* If we are killed, kill this group or remove this directory with its contents. */
void guard_group(pid_t group);
void guard_directory(const char *path);
/* No longer needed. */
void unguard_group(pid_t group);
void unguard_directory(const char *path);

/* Remove a directory and its contents, whatever their permissions. */
void remove_tree(const char *path);

#endif
