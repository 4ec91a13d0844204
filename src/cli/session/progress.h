/* How far a search is: one live line on a terminal, a line per finished bound elsewhere. */
#ifndef MAZUR_CLI_PROGRESS_H
#define MAZUR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "board/board.h"

struct progress {
    FILE *out; /* NULL: say nothing */
    bool live; /* a terminal */
    const char *program;
    bool asan; /* it was built with AddressSanitizer */
    bool introduced;
    bool line_open; /* the live line is on the screen */
    int rows;       /* bounds shown */
    double next;
    uint64_t last_executions;
    double last_seconds;
    double rate;
};

/* For supervision.tick; the context is a struct progress. */
void progress_tick(const struct board *board, double seconds, void *context);
/* Show what is still to be shown and leave the line. */
void progress_finish(struct progress *progress, const struct board *board, double seconds);

#endif
