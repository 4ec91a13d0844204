/* The fixed limits that a program can run into (limits.def). */
#ifndef MAZUR_EXPLORE_LIMITS_H
#define MAZUR_EXPLORE_LIMITS_H

#include "explore/claim/claim.h"

enum {
#define LIMIT(name, value, reason, what) LIMIT_##name = value,
#include "explore/claim/limits.def"
#undef LIMIT
};

enum limit {
#define LIMIT(name, value, reason, what) LIMIT_AT_##name,
#include "explore/claim/limits.def"
#undef LIMIT
    LIMITS
};

struct limit_row {
    const char *name;
    uint64_t value;
    enum claim_reason reason;
    const char *what;
};

const struct limit_row *limit_row(enum limit limit);
/* Something was left out because of this limit. */
void claim_limit(struct claim *claim, enum limit limit);

#endif
