/* From a board to a trace: addresses become names and source lines. */
#ifndef MAZUR_TRACE_CAPTURE_H
#define MAZUR_TRACE_CAPTURE_H

#include "board/board.h"
#include "trace/trace.h"

/* Fill threads, events, schedule and failure of `trace` from a sanitised board of a RECORD run.
 * `failure` is the one to report (it may be the parent's own, for a child that died). */
void trace_capture(struct trace *trace, const struct board *board,
                   const struct board_failure *failure);
/* Coverage of a finished search; texts go to `arena`. */
struct coverage coverage_capture(const struct board *board, struct arena *arena);

#endif
