/* How a program came about, for trace files; and the way back from a trace file to a program.
 */
#ifndef MAZUR_CLI_RECIPE_H
#define MAZUR_CLI_RECIPE_H

#include "cli/build/program.h"
#include "trace/trace.h"

/* Note in a trace how its program came about. */
void program_recipe(const struct program *program, struct trace *trace);
/* Decide in which directory the program of a trace, or its model, is: `given` (--directory), or
 * the directory that the trace names as seen from its own place, or else the current one. The
 * trace then has it as its directory. 0, or an exit code after a message. `how` says which one
 * was taken. */
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
