/* Does a child that takes no step still work, or does it hang? (idle_child.c) */
#ifndef MAZUR_CLI_IDLE_CHILD_H
#define MAZUR_CLI_IDLE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Observations since its last step; all zero: none yet. */
struct idle_child {
    bool watched;
    double used;        /* processor time of the process when it made the step */
    double before;      /* … and when it was last looked at */
    double quiet_since; /* by the wall clock: it has slept since, without using the processor */
    double suspected;   /* processor time after which it was suspected last */
};

enum idle_verdict {
    IDLE_WORKS,   /* or so it seems */
    IDLE_SUSPECT, /* it may be in a loop: the runtime can check */
    IDLE_LOOPS,   /* it has used the processor for `limit` seconds */
    IDLE_BLOCKS,  /* it has been asleep in the kernel for a long time */
};

/* Start over: it has made a step, or need not be watched. */
void idle_forget(struct idle_child *idle);
/* Called every few milliseconds while the process makes no step; `limit` in seconds of
 * processor time. */
enum idle_verdict idle_look(struct idle_child *idle, pid_t process, double limit);
/* Seconds of processor time that the process has used since its last step. */
double idle_used(const struct idle_child *idle, pid_t process);
/* "flock", "system call 314", …: what the process is blocked in; false: unknown. */
bool idle_blocked_in(pid_t process, char *text, size_t size);

#endif
