/* See verdict.h. */
#include "trace/verdict.h"

#include <string.h>

#include "host/exit_codes.h"

#define OUTSIDE  FAILURE_IS_OUTSIDE
#define WAITS    FAILURE_WAITS
#define ACCESS   FAILURE_HAS_ACCESS
#define OBJECT   FAILURE_HAS_OBJECT
#define ON       FAILURE_NAMES_ON
#define TYPE     FAILURE_HAS_TYPE
#define ADVICE   FAILURE_HAS_ADVICE
#define HISTORY  FAILURE_HAS_HISTORY
#define REPEATS  FAILURE_REPEATS
#define AS_FOUND FAILURE_STAYS_AS_FOUND

static const struct failure_row {
    const char *name;
    const char *title;
    enum exit_code exit_code;
    unsigned traits; /* enum failure_trait */
    const char *block;
} rows[FAILURE_KINDS] = {
    [FAILURE_NONE] = {"passed", "no failure", EXIT_NOTHING_FOUND, 0, "stack"},
#define FAILURE(kind, name, title, code, traits, block)                                        \
    [FAILURE_##kind] = {name, title, code, traits, #block},
#include "board/failures.def"
#undef FAILURE
};

static const struct failure_row *find_row(enum failure_kind kind)
{
    return &rows[(unsigned)kind < FAILURE_KINDS ? kind : FAILURE_INTERNAL];
}

const char *failure_name(enum failure_kind kind)
{
    return find_row(kind)->name;
}

const char *failure_title(enum failure_kind kind)
{
    return find_row(kind)->title;
}

int failure_exit_code(enum failure_kind kind)
{
    return find_row(kind)->exit_code;
}

const char *failure_block(enum failure_kind kind)
{
    return find_row(kind)->block;
}

bool failure_has(enum failure_kind kind, enum failure_trait trait)
{
    return find_row(kind)->traits & trait;
}

bool failure_is_outside(enum failure_kind kind)
{
    return failure_has(kind, FAILURE_IS_OUTSIDE);
}

enum failure_kind failure_from_name(const char *name)
{
    for (int kind = FAILURE_NONE + 1; kind < FAILURE_KINDS; kind++)
        if (strcmp(rows[kind].name, name) == 0)
            return (enum failure_kind)kind;
    return FAILURE_NONE;
}
