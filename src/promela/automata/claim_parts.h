/* The strongly connected parts of a claim's automaton: every cycle of the product stays in one.
 *
 * In a part whose states all accept, any cycle is one that is looked for, so that a single
 * depth-first search meets one (an edge back to the stack) if there is one; in a part without
 * accepting states, or without a cycle, there is none. Only what is left needs the nested
 * search, and that need not leave its part. The negations of most formulas that people write,
 * `[] <> p` and `[] (p -> <> q)` among them, have no such part. */
#ifndef MAZUR_PROMELA_CLAIM_PARTS_H
#define MAZUR_PROMELA_CLAIM_PARTS_H

#include <stdint.h>

#include "promela/automata/automata.h"

struct claim_parts {
    uint32_t *part; /* of each control state; NULL: there is no claim, it is all one part */
    bool *uniform;  /* by part: every state accepts, or no cycle goes through it */
};

/* `claim` may be NULL. False: no memory. */
bool claim_parts_find(struct claim_parts *parts, const struct proctype *claim);
void claim_parts_free(struct claim_parts *parts);

#endif
