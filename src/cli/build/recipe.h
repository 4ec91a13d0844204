/* How a program came about, for trace files; and the way back from a trace file to a program.
 */
#ifndef MAZUR_CLI_RECIPE_H
#define MAZUR_CLI_RECIPE_H

#include "cli/build/program.h"
#include "trace/trace.h"

/* Note in a trace how its program came about. */
void program_recipe(const struct program *program, struct trace *trace);
/* Make the program of a trace again. 0, or an exit code after a message. With `say` its command
 * is printed to stderr. */
int program_from_trace(struct program *program, const struct trace *trace, bool say,
                       bool verbose);

#endif
