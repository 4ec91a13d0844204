/* What the debugger's script knows about a trace. */
#ifndef MAZUR_REPORT_DEBUG_SESSION_H
#define MAZUR_REPORT_DEBUG_SESSION_H

#include "trace/trace.h"

/* JSON for src/gdb/session.py: threads, events and switches in the words of the text report,
 * the failure, and the command (quoted for a shell) that starts the program; malloc'd. */
char *session_json(const struct trace *trace, const char *launcher, bool batch);

#endif
