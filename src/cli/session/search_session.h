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
#include "trace/shard.h"

/* A failure that the search found, and the schedule that leads to it. */
struct found_failure {
    struct board_failure failure;
    uint32_t *schedule;
    uint32_t nschedule;
    struct lessons lessons;      /* what the search had learned by then */
    struct board_thread *thread; /* the names of the slots in the schedule */
    uint32_t nthreads;
    bool died;    /* the child died of it */
    bool unshown; /* there is no execution of it to show */
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
    int jobs;           /* processes that may search together */
    double share_after; /* … after so many seconds */
    bool tells_jobs;    /* the user asked for several: if that is impossible, say why */
    bool shared_out;    /* they did */
    struct shard shard; /* --shard; of = 0: none */
};

/* run_search.c: searches, with as many children as necessary, and keeps the failures that they
 * find. */
void run_search(struct search_session *session, bool invisible);
/* The supervision of a child that searches on this board. */
struct supervision search_supervision(struct search_session *session, struct shared *shared,
                                      bool invisible);
/* Collects the failures on the board of a child that ended in this way. `again`: they may be
 * known already. */
void collect_failures(struct search_session *session, const struct board *board,
                      const struct ending *ending, bool again);
/* Somebody sent a signal: did the program itself? */
bool program_kills_itself(struct search_session *session, const struct board *board,
                          const struct ending *ending);
/* Raises the reasons that follow from the uses on the board of a child that has ended (runtime:
 * board->use). */
void note_ended_blocks(struct board *board);
/* Forget what was found. */
void drop_failures(struct search_session *session);

/* jobs.c: the same with several children at a time. False: the search continues in one child,
 * on the session's board. */
bool run_jobs(struct search_session *session, bool invisible);

/* trace_failures.c: the recording of a failure; all recordings share the time. */
struct recording recording_of(const struct search_session *session,
                              const struct found_failure *found, size_t failures);
/* Add a trace of every failure to the result, and write the trace files. False after a message.
 */
bool trace_failures(struct search_session *session, struct result *result);
/* Called when all failures are known: decides what each trace may claim, given the reasons and
 * the other failures. */
void settle_failures(struct result *result);

/* conclude_search.c: what the search found and what it proves, reported; the exit code. */
int conclude_search(struct search_session *session);
/* Print the result, and write the files that were asked for. False after a message. */
bool report_result(const struct options *options, const struct result *result, FILE *out);

#endif
