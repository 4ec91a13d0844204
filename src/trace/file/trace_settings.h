/* The settings that an execution depends on (board/settings.def, REPLAYS), as a trace has them:
 * from the configuration of the run that was recorded, back into that of a replay, and as JSON.
 * A setting that a trace lacks counts as 0 or empty. */
#ifndef MAZUR_TRACE_TRACE_SETTINGS_H
#define MAZUR_TRACE_TRACE_SETTINGS_H

#include "board/board.h"
#include "trace/json_fields.h"

void trace_settings_capture(struct trace *trace, const struct board_config *config);
void trace_settings_apply(const struct trace *trace, struct board_config *config);

json_t *json_settings(const struct trace *trace);
/* Only those that do not have their initial value. */
json_t *json_changed_settings(const struct trace *trace);
void read_settings(struct trace_reader *reader, const json_t *root);

#endif
