/* Programs that a command runs for itself: compilers, the preprocessor, Spin.
 *
 * A tool has its own process group, so that whatever it starts ends with it and with the
 * command: a signal that ends us kills the groups first (temporary.c), and if we are killed the
 * guardian does (guardian.h). */
#ifndef MAZUR_HOST_TOOL_H
#define MAZUR_HOST_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct tool {
    char *const *arguments;    /* [0] is searched for in PATH */
    const char *temporary;     /* its TMPDIR, or NULL: ours */
    const char *directory;     /* where it runs, or NULL: here */
    int input, output, errors; /* descriptors, TOOL_SAME or TOOL_NOTHING */
    unsigned seconds;          /* limit on processor time, 0: none */
    size_t bytes;              /* limit on address space, 0: none but ours */
};

#define TOOL_SAME    (-1) /* ours */
#define TOOL_NOTHING (-2) /* /dev/null */

/* Start it; 0 with errno set if that fails. */
pid_t tool_start(const struct tool *tool);
/* Wait for its end; false when that is impossible. `status` as of waitpid(). */
bool tool_wait(pid_t child, int *status);
/* Has it ended by now? */
bool tool_poll(pid_t child, int *status);
/* End it, now. */
void tool_stop(pid_t child);
/* Start, wait: the exit status, 128 and the signal that ended it, or -1 with errno set. */
int tool_run(const struct tool *tool);

/* Kill all running tools; safe in a signal handler. */
void tool_kill_all(void);

#endif
