/* The fair bound (paper 002, section 2.5.2): a thread may have yielded at most that many times
 * more than any other enabled thread. A thread that has yielded more often is unfair, and is
 * not run until the others have caught up. One thread is always fair: the one with the fewest
 * yields.
 *
 * A yield inside an atomic section counts once, because the section is one step. */
#ifndef MAZUR_EXPLORE_FAIR_H
#define MAZUR_EXPLORE_FAIR_H

#include "base/pool.h"
#include "base/vector.h"
#include "explore/world/world.h"

struct fair {
    VECTOR(uint32_t) yields; /* of each thread in this execution */
    struct position view;    /* the last result of fair_look() */
};

void fair_begin(struct fair *fair);
/* At the position after a step: counts it. */
void fair_step(struct fair *fair, struct pool *pool, const struct position *pos);
/* The threads in `enabled` that are beyond the bound. */
threadset fair_exceeding(const struct fair *fair, const threadset *enabled, int bound);
/* The position for a strategy that does not know about fairness: unfair threads are not
 * enabled, so switching away from one is not a preemption (section 5.3). *left_out: there was
 * one. Valid until the next call. Such a position has no fingerprint: what may be run depends
 * on past yields, which the state does not show. */
const struct position *fair_look(struct fair *fair, const struct position *pos, int bound,
                                 bool *left_out);

#endif
