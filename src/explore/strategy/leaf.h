/* A leaf: a part of a search that another process can run.
 *
 * It is a set of traces: those that contain certain events with everything before them
 * (`required`, a prefix of the happens-before graph, given as a schedule that runs it), and
 * that do not contain certain others (`excluded`). An event is identified by its thread, its
 * number there, and a hash of itself and of all events before it.
 *
 * Splitting a leaf by an event e divides its traces into two sets, whatever the strategy:
 *
 *     the trace contains e      →  leaf (required and e with its past, excluded)
 *     it does not               →  leaf (required, excluded and e)
 *
 * So any tree of splits is a partition: no trace is lost, none is in two leaves, and the
 * leaves' counts add up. The empty leaf is the whole search.
 *
 * Strategies that reduce by races (dpor) divide by order instead: `ordered`. The steps of such
 * a leaf come first, in this order, up to events that commute; no excluded event can come first
 * after them. With the last `chain` steps e1, e2, … it contains the traces that do not follow
 * all of them: not e1 first after the earlier steps; or e1, and not e2 first after it; and so
 * on.
 *
 * A leaf is plain data of fixed size: it lies on the board, and comes from an untrusted process
 * (leaf_is_sane). */
#ifndef MAZUR_EXPLORE_LEAF_H
#define MAZUR_EXPLORE_LEAF_H

#include "base/hash.h"
#include "explore/world/world.h"

#define LEAF_STEPS    4096
#define LEAF_EXCLUDED 96
#define LEAF_THREADS  32
#define LEAF_SLOTS    24 /* how often one running search can be split */

struct leaf_excluded {
    struct op op; /* in the form that it has after its past */
    struct hash128 hash;
    uint32_t tid;
    uint32_t index; /* in its thread, from 0 */
    /* Its past: how many events of each thread, and the hash of the last of them. */
    uint32_t past[LEAF_THREADS];
    struct hash128 last[LEAF_THREADS];
};

struct leaf {
    uint32_t nsteps;
    uint32_t nexcluded;
    uint32_t ordered; /* 1: see above; 0: the steps are a schedule of required events */
    uint32_t chain;
    struct hash128 sum;        /* sum of the hashes of the required events (not `ordered`):
                                  running the steps must give the same events, or it is another
                                  leaf */
    uint32_t step[LEAF_STEPS]; /* a schedule of the required events */
    struct leaf_excluded excluded[LEAF_EXCLUDED];
};

static inline bool leaf_is_whole(const struct leaf *leaf)
{
    return leaf->nsteps == 0 && leaf->nexcluded == 0;
}

/* Are all counts in range? Only running the steps shows what they lead to. */
static inline bool leaf_is_sane(const struct leaf *leaf)
{
    if (leaf->nsteps > LEAF_STEPS || leaf->nexcluded > LEAF_EXCLUDED || leaf->ordered > 1 ||
        leaf->chain > leaf->nsteps || (leaf->chain > 0 && !leaf->ordered))
        return false;
    for (uint32_t i = 0; i < leaf->nexcluded; i++)
        if (leaf->excluded[i].tid >= LEAF_THREADS || leaf->excluded[i].op.nobjects > OP_OBJECTS)
            return false;
    return true;
}

#endif
