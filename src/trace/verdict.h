/* Verdicts: names, exit codes and traits of failures, from the one table in board/failures.def.
 */
#ifndef MAZUR_TRACE_VERDICT_H
#define MAZUR_TRACE_VERDICT_H

#include <stdbool.h>

#include "board/kinds.h"

/* failures.def says what each means. */
enum failure_trait {
    FAILURE_IS_OUTSIDE = 1 << 0,
    FAILURE_WAITS = 1 << 1,
    FAILURE_HAS_ACCESS = 1 << 2,
    FAILURE_HAS_OBJECT = 1 << 3,
    FAILURE_NAMES_ON = 1 << 4,
    FAILURE_HAS_TYPE = 1 << 5,
    FAILURE_HAS_ADVICE = 1 << 6,
    FAILURE_HAS_HISTORY = 1 << 7,
    FAILURE_REPEATS = 1 << 8,
    FAILURE_STAYS_AS_FOUND = 1 << 9,
};

/* "assertion", "data-race", …: as JSON and trace files have it. */
const char *failure_name(enum failure_kind kind);
/* The inverse; FAILURE_NONE for an unknown name. */
enum failure_kind failure_from_name(const char *name);
/* "assertion failed", "data race", …: as the report's first line has it. */
const char *failure_title(enum failure_kind kind);
int failure_exit_code(enum failure_kind kind);
/* "stack", "waiting", …: the block of the reports that shows the evidence. */
const char *failure_block(enum failure_kind kind);
/* The cause is not the program but Mazur, the machine or somebody else. */
bool failure_is_outside(enum failure_kind kind);
bool failure_has(enum failure_kind kind, enum failure_trait trait);

#endif
