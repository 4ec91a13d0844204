/* Atomic sections, so that no strategy needs to know about them.
 *
 * If only the running thread may continue (position.alone) there is nothing to decide. The
 * search answers such positions itself, and the strategy sees the steps of a section as one:
 *
 *     world     ──A:x=1──▶ alone ──A:r=y──▶ alone ──A:z=2──▶ B may run
 *     strategy  ────────────── A: writes x and z, reads y ──▶ B may run
 *
 * The order of two sections, or of a section and an operation, can be observed iff this holds
 * for two of their operations: so the strategy has the same traces as the world.
 *
 * A section is interrupted if the thread can't continue or yields. Then the rest is a separate
 * step. Where blocking interrupts it depends on what it waits for, so the step up to there
 * depends on everything (OP_GLOBAL), which may distinguish executions of one trace.
 *
 * What a section will do is unknown before it begins: see op.h for its pending operation. */
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
/* True: nothing to decide here, the last thread continues. */
bool section_goes_on(struct section *section, const struct position *pos);
/* What the strategy sees; valid until the next call. */
const struct position *section_look(struct section *section, const struct position *pos);

#endif
