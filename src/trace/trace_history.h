/* The history of a container's operations in a trace: what each caller did and saw, and why no
 * serial order of the same operations explains it (explore/judge/linear.h). */
#ifndef MAZUR_TRACE_TRACE_HISTORY_H
#define MAZUR_TRACE_TRACE_HISTORY_H

#include "board/board.h"
#include "trace/json_fields.h"

#define HISTORY_ORDERS 12 /* serial orders shown at most */

/* From the board; NULL where the execution has no history. */
struct trace_history *history_capture(struct trace *trace, const struct board *board,
                                      enum failure_kind kind);
json_t *history_json(const struct trace_history *history);
/* What history_json wrote. */
struct trace_history *read_history(struct trace_reader *reader, const json_t *object);

#endif
