/* One search of a program, from its first child to its report: what the parts of
 * search_program.h share.
 */
#ifndef MAZUR_CLI_SEARCH_SESSION_H
#define MAZUR_CLI_SEARCH_SESSION_H

#include <stdio.h>

#include "cli/options/options.h"
#include "cli/session/budget.h"
#include "cli/session/progress.h"
#include "cli/session/record_trace.h"
#include "cli/session/resume.h"
#include "cli/session/simplify_failure.h"
#include "trace/result.h"

/* A failure that the search found, and the schedule that leads to it. */
struct found_failure {
    struct board_failure failure;
    uint32_t *schedule;
    uint32_t nschedule;
    struct lessons lessons; /* what the search had learned by then */
    bool died;              /* the child died of it */
    bool unshown;           /* there is no execution of it to show */
    struct simplified simplified;
};

struct search_session {
    const struct options *options;
    struct program *program;
    char *runtime;
    struct shared shared;
    struct program_output output;
    struct progress progress;
    struct ending ending;
    struct kept_search kept;
    double seconds; /* over all children of the search */
    struct budget budget;
    struct found_failure found[BOARD_FAILURES];
    size_t nfound;
    uint32_t harvested; /* entries of board->failure[] collected so far, … */
    uint32_t round;     /* … of this round of the search */
    FILE *out;          /* reports */
};

/* run_search.c: search, with as many children as that takes, and keep the failures that they
 * find. */
void run_search(struct search_session *session, bool invisible);

/* trace_failures.c: the recording of a failure, as one of so many whose recordings share the
 * time. */
struct recording recording_of(const struct search_session *session,
                              const struct found_failure *found, size_t failures);
/* Add a trace of every failure to the result, and write the trace files. False after a message.
 */
bool trace_failures(struct search_session *session, struct result *result);

/* conclude_search.c: what the search found and what it proves, reported; the exit code. */
int conclude_search(struct search_session *session);

#endif
