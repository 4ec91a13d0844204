/* What the commands on one trace file have in common. */
#ifndef MAZUR_CLI_TRACE_COMMAND_H
#define MAZUR_CLI_TRACE_COMMAND_H

#include "cli/options/options.h"
#include "trace/trace.h"

/* A command on a trace file that has been read; `rest` is what follows "--". */
typedef int trace_command(const struct options *options, struct trace *trace,
                          const struct text_list *rest);

/* Scan `mazur NAME FILE.mzt`, read the file and run the command; its exit code. `more` is what
 * may follow the file, or "" if nothing may: then words after "--" are file names, too. */
int run_trace_command(trace_command *run, const char *name, unsigned command, const char *more,
                      int argc, char **argv);

#endif
