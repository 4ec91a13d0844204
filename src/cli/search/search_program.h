/* From a program to a verdict: search in a child, restart it if --keep-going requires that, run
 * every failing execution once more for its trace, report.
 *
 *     run_search.c ──▶ failures + schedules ──▶ trace_failures.c ──▶ trace files
 *         ▲   │ child died, --keep-going               │
 *         └───┘                                        ▼
 *                              conclude_search.c: text, JSON, JUnit, …, exit code */
#ifndef MAZUR_CLI_SEARCH_PROGRAM_H
#define MAZUR_CLI_SEARCH_PROGRAM_H

#include "cli/build/program.h"
#include "cli/options/options.h"

/* Returns the exit code. `invisible`: a program without threads must not notice Mazur. */
int search_program(const struct options *options, struct program *program, bool invisible);

#endif
