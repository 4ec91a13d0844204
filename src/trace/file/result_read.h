/* Reads a result that --json wrote, for `mazur merge` and --cache. The file is untrusted: types
 * and ranges are checked, as in trace files. */
#ifndef MAZUR_TRACE_RESULT_READ_H
#define MAZUR_TRACE_RESULT_READ_H

#include "trace/result.h"

/* NULL with a malloc'd `reason`. The coverage is as the search decided it. A failure has its
 * trace if the trace file still exists, in its old place or beside the result. */
struct result *result_read(const char *path, char **reason);

#endif
