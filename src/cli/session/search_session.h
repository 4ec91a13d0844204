/* One search of a program, from its first child to its report: what its steps
 * (cli/search/search_steps.h) and its children (cli/jobs/jobs.h) share, and the failures that
 * were found. */
#ifndef MAZUR_CLI_SEARCH_SESSION_H
#define MAZUR_CLI_SEARCH_SESSION_H

#include <stdio.h>

#include "cli/options/options.h"
#include "cli/session/budget.h"
#include "cli/session/progress.h"
#include "cli/record/record_trace.h"
#include "cli/session/resume.h"
#include "cli/record/simplify_failure.h"
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

/* The supervision of a child that searches on this board. */
struct supervision search_supervision(struct search_session *session, struct shared *shared,
                                      bool invisible);
/* Collects the failures on the board of a child that ended in this way. `again`: they may be
 * known already. */
void collect_failures(struct search_session *session, const struct board *board,
                      const struct ending *ending, bool again);
/* The recording of a failure; all recordings share the time. */
struct recording recording_of(const struct search_session *session,
                              const struct found_failure *found, size_t failures);
/* Somebody sent a signal: did the program itself? */
bool program_kills_itself(struct search_session *session, const struct board *board,
                          const struct ending *ending);
/* Raises the reasons that follow from the uses on the board of a child that has ended (runtime:
 * board->use). */
void note_ended_blocks(struct board *board);
/* Forget what was found. */
void drop_failures(struct search_session *session);

#endif
