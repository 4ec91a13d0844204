/* Messages of the command itself: always on stderr, always opened by "mazur: ". */
#ifndef MAZUR_CLI_SAY_H
#define MAZUR_CLI_SAY_H

/* Exit codes that are not a verdict (the others: report/verdict.h). */
#define EXIT_USAGE    64
#define EXIT_INTERNAL 70

void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
