/* A process beside the command that tidies up when the command is killed.
 *
 *     mazur ──── "this directory", "this process group", "done with it" ───▶ guardian
 *       ✝ however: the wire closes ──────────────────────────────────────────▶ kill, remove,
 * end
 *
 * A signal that can be caught is dealt with by the command itself (temporary.c). SIGKILL, the
 * out-of-memory killer and a crash are not, and a compiler in the middle of its work has
 * processes of its own that PR_SET_PDEATHSIG does not reach. The guardian is started before the
 * first of them, has a session of its own, and holds no descriptor but its wire. Where no
 * process can be made the command goes on without it. */
#ifndef MAZUR_HOST_GUARDIAN_H
#define MAZUR_HOST_GUARDIAN_H

#include <sys/types.h>

/* Kill this group, remove this directory with all that is in it, should we be killed. */
void guard_group(pid_t group);
void guard_directory(const char *path);
/* It is gone. */
void unguard_group(pid_t group);
void unguard_directory(const char *path);

/* Remove a directory with everything in it, whatever its permissions. */
void remove_tree(const char *path);

#endif
