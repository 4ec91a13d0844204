/* Verdicts: the one table of names and exit codes that every output uses. */
#ifndef MAZUR_REPORT_VERDICT_H
#define MAZUR_REPORT_VERDICT_H

#include "board/board.h"

/* "assertion", "data-race", …: as JSON and trace files have it. */
const char *failure_name(enum failure_kind kind);
/* The inverse; FAILURE_NONE for an unknown name. */
enum failure_kind failure_from_name(const char *name);
/* "assertion failed", "data race", …: as the report's first line has it. */
const char *failure_title(enum failure_kind kind);
int failure_exit_code(enum failure_kind kind);
/* Nothing that the program did: Mazur's own fault, the machine's, or somebody else's. */
bool failure_is_outside(enum failure_kind kind);

#endif
