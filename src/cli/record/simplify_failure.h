/* The simplest form of a failure, found in a child of its own before the failure is recorded
 * and shown (explore/search/simplify.c says what simplest means, and what is proven).
 *
 * The budget is counted in executions and steps, so that the same search gives the same report
 * on every machine. The limit in seconds is for programs with slow executions; the report says
 * when it was reached. The claim about bounds is the search's own and stays as it is. */
#ifndef MAZUR_CLI_SIMPLIFY_FAILURE_H
#define MAZUR_CLI_SIMPLIFY_FAILURE_H

#include "cli/record/record_trace.h"

/* The simplest execution that fails as the recording's schedule does, and
 * the threads' names that its schedule uses. False: the schedule stays as it is. */
struct simplified {
    struct simplification facts;
    uint32_t *schedule;
    uint32_t nschedule;
    struct board_thread *thread;
    uint32_t nthreads;
    struct lessons lessons; /* that it was made with: the search's, or more */
};
bool simplify_execution(const struct recording *recording, uint64_t executions, double seconds,
                        struct simplified *simplified);
void simplified_release(struct simplified *simplified);

#endif
