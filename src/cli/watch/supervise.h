/* Run the program under test once (one search, or one recorded execution) and watch it.
 *
 * The child is trusted with nothing: it may crash, hang, close its descriptors, print without
 * end, or exit without going through the runtime. The board says how far it got. */
#ifndef MAZUR_CLI_SUPERVISE_H
#define MAZUR_CLI_SUPERVISE_H

#include <stdbool.h>

#include "board/parent.h"
#include "cli/build/program.h"
#include "cli/watch/output.h"
#include "cli/watch/witness.h"

struct supervision {
    const struct program *program;
    const char *runtime; /* path of libmazur.so */
    struct shared *shared;
    struct program_output *output;
    double time;       /* seconds of search, 0: no limit */
    double hang;       /* seconds of processor time without a step, 0: wait for ever */
    double hang_alone; /* the same while no thread has been started */
    bool places_known; /* the board is a copy of another child's, with its sites and */
    uint32_t nplaces;  /* so many places */
    void (*tick)(const struct board *board, double seconds, void *context);
    void *context;
};

enum child_end {
    CHILD_FINISHED,    /* it reported CHILD_DONE, or a failure is on the board */
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

/* The same in parts, for several children at a time:
 *
 *     child_start ─▶ children_wait ─▶ child_look ─ false: it has ended ─▶ child_end
 *                         ▲───────────────┘ true
 *
 * The supervision must live until child_end(), which frees the child and freezes its board. */
struct child;
struct child *child_start(const struct supervision *supervision);
/* False: it could not be started, and child_end() says why. */
bool child_is_running(const struct child *child);
/* Waits until one of them ends or prints, at most for so many milliseconds. */
void children_wait(struct child *const *children, size_t count, int milliseconds);
bool child_look(struct child *child);
void child_kill(struct child *child);
struct ending child_end(struct child *child);

/* Catch SIGINT, SIGTERM and SIGHUP: the first one ends a search cleanly, the second at once. */
void supervise_catch_signals(void);
bool supervise_interrupted(void);
/* In the child, before exec: set the environment variables that load the runtime. */
void supervise_preload(const char *runtime, const char *program);
/* … and give it an empty stdin. */
void supervise_empty_input(void);

double clock_seconds(void);

#endif
