/* Atomic sections, so that no strategy needs to know of them.
 *
 * Where only the running thread may go on (position.alone) there is nothing to decide. The
 * search answers such positions itself, and the strategy sees the steps of a section as one:
 *
 *     world     ──A:x=1──▶ alone ──A:r=y──▶ alone ──A:z=2──▶ B may run
 *     strategy  ────────────── A: writes x and z, reads y ──▶ B may run
 *
 * The order of two sections, or of a section and an operation, can be told apart iff it can for
 * two of their operations: so the strategy has the same traces as the world.
 *
 * A section can be interrupted, where the thread can't go on or yields. The rest is a step of
 * its own then. Where it is interrupted by blocking depends on what it waits for: the step up
 * to there depends on everything (OP_GLOBAL), which may tell executions of one trace apart.
 *
 * Before it begins nobody knows what a section will do: see op.h for its pending operation. */
#ifndef MAZUR_EXPLORE_SECTION_H
#define MAZUR_EXPLORE_SECTION_H

#include "explore/world/world.h"

/* A position as the strategy sees it. */
struct section_view {
    struct position pos; /* first: the fingerprint call gets this address */
    const struct position *world;
};

struct section {
    struct op op;    /* its steps so far, as one operation */
    bool open;       /* there are some that the strategy has not seen */
    uint32_t hidden; /* positions of this execution that the strategy is not asked about */
    struct section_view view;
};

void section_begin(struct section *section);
/* True: nothing to decide here, the last thread goes on. */
bool section_goes_on(struct section *section, const struct position *pos);
/* What the strategy sees; good until the next call. */
const struct position *section_look(struct section *section, const struct position *pos);

#endif
