/* Messages of the command itself: always on stderr, always opened by "mazur: ". */
#ifndef MAZUR_HOST_SAY_H
#define MAZUR_HOST_SAY_H

#include "trace/verdict.h" /* the exit codes of verdicts, and EXIT_INTERNAL */

#define EXIT_USAGE 64 /* nothing was run */

void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
