/* Programs that a command runs for itself: compilers, the preprocessor, Spin.
 *
 * A tool has a process group of its own, so that whatever it starts ends with it, and ends with
 * the command: a signal that ends us kills the groups first (temporary.c), and the guardian
 * does it should we be killed (guardian.h). */
#ifndef MAZUR_HOST_TOOL_H
#define MAZUR_HOST_TOOL_H

#include <stdbool.h>
#include <sys/types.h>

struct tool {
    char *const *arguments;    /* [0] is looked for on the PATH */
    const char *temporary;     /* its TMPDIR, or NULL: ours */
    const char *directory;     /* where it runs, or NULL: here */
    int input, output, errors; /* descriptors, TOOL_SAME or TOOL_NOTHING */
    unsigned seconds;          /* of processor time at most, 0: any */
};

#define TOOL_SAME    (-1) /* ours */
#define TOOL_NOTHING (-2) /* /dev/null */

/* Start it; 0 with errno set. */
pid_t tool_start(const struct tool *tool);
/* Wait for its end; false when that is impossible. `status` as of waitpid(). */
bool tool_wait(pid_t child, int *status);
/* Has it ended by now? */
bool tool_poll(pid_t child, int *status);
/* End it, now. */
void tool_stop(pid_t child);
/* Start, wait: the exit status, 128 and the signal that ended it, or -1 with errno set. */
int tool_run(const struct tool *tool);

/* All that run; safe in a signal handler. */
void tool_kill_all(void);

#endif
