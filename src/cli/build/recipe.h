/* How a program was made, for trace files; and from a trace file back to the program. */
#ifndef MAZUR_CLI_RECIPE_H
#define MAZUR_CLI_RECIPE_H

#include "cli/build/program.h"
#include "trace/trace.h"

/* Notes in a trace how its program was made. */
void program_recipe(const struct program *program, struct trace *trace);
/* Decides which directory holds the program or model of a trace: `given` (--directory), or the
 * directory that the trace names, relative to the trace file, or else the current one. Sets the
 * directory of the trace. 0, or an exit code after a message. `how` says which one was chosen.
 */
int recipe_settle(struct trace *trace, const char *given, const char **how);
/* The replay of a trace can't follow its schedule: is it because the program has changed? Then
 * the failure says so, and where. */
void recipe_explain(const struct program *program, const struct trace *trace,
                    struct trace *again);
/* Make the program of a settled trace again. 0, or an exit code after a message. Its command
 * is printed to stderr, with
 * `how` (may be NULL). */
int program_from_trace(struct program *program, const struct trace *trace, const char *how,
                       bool verbose);

#endif
