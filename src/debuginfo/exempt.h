/* Functions that the source keeps from instrumentation: __attribute__((no_sanitize("thread"))),
 * no_sanitize_thread, or a macro that says so. Neither the machine code nor the debug
 * information shows it, so the source files that the debug information names are read. */
#ifndef MAZUR_DEBUGINFO_EXEMPT_H
#define MAZUR_DEBUGINFO_EXEMPT_H

#include "debuginfo/symbolise.h"

enum exemption {
    EXEMPT_NO,
    EXEMPT_YES,
    EXEMPT_UNKNOWN, /* no debug information, or the source can't be read */
};

struct exemptions *exemptions_new(struct symboliser *symboliser);
void exemptions_free(struct exemptions *exemptions);
/* Is the function with this symbol, which starts at `address`, exempt? */
enum exemption exemption_of(struct exemptions *exemptions, uint64_t address,
                            const char *symbol);

#endif
