/* The history of a container's operations in a trace: what each caller did and saw, and why no
 * serial order of the same operations explains it (explore/judge/linear.h). */
#ifndef MAZUR_REPORT_HISTORY_H
#define MAZUR_REPORT_HISTORY_H

#include <jansson.h>

#include "report/text/text_private.h"

#define HISTORY_ORDERS 12 /* serial orders shown at most */

/* From the board; NULL where the execution has no history. */
struct trace_history *history_capture(struct trace *trace, const struct board *board,
                                      enum failure_kind kind);
json_t *history_json(const struct trace_history *history);
/* NULL, with `wrong` set, where it is not what history_json writes. */
struct trace_history *history_read(struct trace *trace, const json_t *object, bool *wrong);
/* The table of the history, and the serial orders with what they disagree in. */
void add_history(struct report *report);

#endif
