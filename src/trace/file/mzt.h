/* Trace files (.mzt): one failing execution as versioned JSON.
 *
 * A file is written completely or not at all (temporary file and rename) and named by a hash of
 * its content, so that the same failure, found again, gives the same file. Its contents are
 * untrusted: version, types, ranges and sizes are checked before anything is used. */
#ifndef MAZUR_TRACE_MZT_H
#define MAZUR_TRACE_MZT_H

#include "trace/trace.h"

#define MZT_VERSION 2

/* Returns the malloc'd path; NULL with a malloc'd `reason`. */
char *mzt_write(const struct trace *trace, const char *directory, char **reason);
/* Returns the trace; NULL with a malloc'd `reason`. */
struct trace *mzt_read(const char *path, char **reason);

#endif
