/* Which parts of a module were compiled together and how: its functions by their symbols, its
 * compilation units by their debug information. For machine/unseen.c, which finds the parts of
 * a program that were compiled without instrumentation. */
#ifndef MAZUR_DEBUGINFO_UNITS_H
#define MAZUR_DEBUGINFO_UNITS_H

#include "debuginfo/symbolise.h"

struct unit_range {
    uint64_t start;
    uint64_t end;
    uint64_t unit;        /* the same for all ranges of a compilation unit */
    const char *name;     /* "src/queue.c", never NULL */
    int language;         /* DW_LANG_…, 0: unknown */
    const char *producer; /* the compiler with the flags that it records; never NULL */
};

struct function_range {
    uint64_t start;
    uint64_t end;
    const char *symbol;
};

/* Both in order of address, malloc'd, with strings that live as long as the symboliser. */
struct unit_range *units_of_module(struct symboliser *symboliser, uint32_t module,
                                   size_t *count);
/* The range that an address is in, or NULL. */
const struct unit_range *unit_range_at(const struct unit_range *ranges, size_t count,
                                       uint64_t address);
struct function_range *functions_of_module(struct symboliser *symboliser, uint32_t module,
                                           size_t *count);

#endif
