/* How far a search is: one live line on a terminal, a line per finished bound elsewhere. */
#ifndef MAZUR_CLI_PROGRESS_H
#define MAZUR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "board/board.h"

/* An estimate is shown when it has settled: it has stayed about the same for a while. */
struct settling {
    int bound;
    double value; /* executions of this bound; 0: none yet */
    double since; /* when it last moved */
    double shown; /* the largest fraction that was shown of this bound */
};

struct progress {
    FILE *out; /* NULL: say nothing */
    bool live; /* a terminal */
    const char *program;
    bool asan; /* it was built with AddressSanitizer */
    bool introduced;
    bool line_open; /* the live line is on the screen */
    int rows;       /* bounds shown */
    double next;
    uint32_t round;           /* of the search: it starts over with what it learned, … */
    uint64_t earlier;         /* … and so many executions were run before that */
    uint64_t last_executions; /* counted over all rounds */
    double last_seconds;
    double rate;
    struct settling settling;
};

/* For supervision.tick; the context is a struct progress. */
void progress_tick(const struct board *board, double seconds, void *context);
/* Show what is still to be shown and leave the line. */
void progress_finish(struct progress *progress, const struct board *board, double seconds);

#endif
