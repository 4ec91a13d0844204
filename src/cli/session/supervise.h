/* Run the program under test once (one search, or one recorded execution) and watch it.
 *
 * The child is trusted with nothing: it may crash, hang, close its descriptors, print without
 * end, or exit behind the runtime's back. The board tells how far it came (DESIGN 2.6). */
#ifndef MAZUR_CLI_SUPERVISE_H
#define MAZUR_CLI_SUPERVISE_H

#include <stdbool.h>

#include "board/parent.h"
#include "cli/build/program.h"
#include "cli/session/output.h"
#include "cli/session/witness.h"

struct supervision {
    const struct program *program;
    const char *runtime; /* path of libmazur.so */
    struct shared *shared;
    struct program_output *output;
    double time;       /* seconds of search, 0: no limit */
    double hang;       /* seconds of processor time without a step, 0: wait for ever */
    double hang_alone; /* the same while no thread has been started */
    void (*tick)(const struct board *board, double seconds, void *context);
    void *context;
};

enum child_end {
    CHILD_FINISHED,    /* it said CHILD_DONE, or a failure is on the board */
    CHILD_CRASHED,     /* a signal killed it */
    CHILD_LEFT,        /* it exited before it was done */
    CHILD_HUNG,        /* no step, and no answer to SIGURG: killed */
    CHILD_TAKEN,       /* somebody else or a limit ended it, see `why` */
    CHILD_KILLED,      /* did not stop when asked, or a second Ctrl-C */
    CHILD_NOT_STARTED, /* exec failed, see `error` */
};

struct ending {
    enum child_end end;
    enum culprit culprit;   /* CHILD_TAKEN: who, */
    int signal;             /* CHILD_CRASHED */
    int status;             /* exit status where it exited */
    int error;              /* errno of a failed start */
    char why[WITNESS_TEXT]; /* CHILD_TAKEN: who ended it, as a sentence */
    double seconds;         /* from start to end */
    bool interrupted;       /* Ctrl-C */
    bool timed_out;         /* `time` was up */
    bool unresolved; /* an option names what the program does not have; a message was written */
    bool randomized; /* the kernel did not let us switch address randomisation off */
};

struct ending supervise(const struct supervision *supervision);

/* Catch SIGINT, SIGTERM and SIGHUP: the first ends a search in good order, the second at once.
 */
void supervise_catch_signals(void);
bool supervise_interrupted(void);
/* In the child, before exec: environment variables that bring the runtime in. */
void supervise_preload(const char *runtime, const char *program);
/* … and nothing to read on stdin. */
void supervise_empty_input(void);

double clock_seconds(void);

#endif
