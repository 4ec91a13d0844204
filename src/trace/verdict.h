/* Verdicts: names, exit codes and traits of failures, from the one table in board/failures.def.
 */
#ifndef MAZUR_TRACE_VERDICT_H
#define MAZUR_TRACE_VERDICT_H

#include <stdbool.h>

#include "board/kinds.h"

enum failure_trait {
    FAILURE_IS_OUTSIDE = 1, /* nothing that the program did */
    FAILURE_WAITS = 2,      /* threads wait for ever */
    FAILURE_HAS_ACCESS = 4, /* the message names what its last access touched */
    FAILURE_HAS_OBJECT = 8, /* the message names its object */
};

/* "assertion", "data-race", …: as JSON and trace files have it. */
const char *failure_name(enum failure_kind kind);
/* The inverse; FAILURE_NONE for an unknown name. */
enum failure_kind failure_from_name(const char *name);
/* "assertion failed", "data race", …: as the report's first line has it. */
const char *failure_title(enum failure_kind kind);
int failure_exit_code(enum failure_kind kind);
/* Nothing that the program did: Mazur's own fault, the machine's, or somebody else's. */
bool failure_is_outside(enum failure_kind kind);
bool failure_has(enum failure_kind kind, enum failure_trait trait);

#endif
