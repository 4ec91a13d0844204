/* The progress of a search: one live line on a terminal, one line per finished bound elsewhere.
 */
#ifndef MAZUR_CLI_PROGRESS_H
#define MAZUR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "board/board.h"

/* An estimate is shown when it has settled: over several reports of the search, it and the end
 * that it predicts have stayed about the same for a while. */
struct settling {
    int bound;
    bool started;
    double first_seconds; /* the first report of this bound, … */
    double first;         /* … and its executions */
    double reported;      /* the last report that brought news, … */
    double here;          /* … its executions of this bound, … */
    double value;         /* … the estimate of all of them; 0: none yet … */
    double end;           /* … and when they will be done; 0: unknown */
    double since;         /* when one of the two last moved */
    double shown;         /* the largest fraction that was shown of this bound */
    double eta;           /* the smallest that was shown since then; 0: none */
};

struct progress {
    FILE *out; /* NULL: say nothing */
    bool live; /* a terminal */
    const char *program;
    bool asan; /* it was built with AddressSanitizer */
    bool introduced;
    int jobs;            /* processes that search; 0: not worth saying */
    const char *why_one; /* why there is one although more were asked for; NULL: nothing */
    int part_of;         /* shards; 0: none. The search was divided after so many rows: */
    int whole_rows;
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
/* The same with counts that are not the board's, but those of several children. */
void progress_show(struct progress *progress, const struct board *board,
                   const struct search_stats *stats, double seconds);
/* Is it time to show something? */
bool progress_is_due(const struct progress *progress, const struct board *board,
                     double seconds);
/* Says that several processes share the search, in the line that introduces the program or in a
 * separate one. */
void progress_jobs(struct progress *progress, int jobs, const char *why_one);
/* The search was divided after `rows` bounds, and continues with one part of several. */
void progress_shard(struct progress *progress, int index, int of, int rows);
/* Shows what is left to show and ends the line. */
void progress_finish(struct progress *progress, const struct board *board, double seconds);

#endif
