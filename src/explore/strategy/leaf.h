/* A leaf: a part of a search that another process can do.
 *
 * It is a set of traces: those that contain certain events with everything before them
 * (`required`, a prefix of the happens-before graph, given as a schedule that runs it), and
 * that do not contain certain others (`excluded`). An event is told by its thread, its number
 * there, and a hash of itself and of all events before it.
 *
 * Splitting a leaf by an event e is a dichotomy on traces, whatever the strategy:
 *
 *     the trace contains e      →  leaf (required and e with its past, excluded)
 *     it does not               →  leaf (required, excluded and e)
 *
 * So any tree of splits is a partition: no trace is lost, none is in two leaves, and the counts
 * of the leaves add up. The empty leaf is the whole search.
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
    uint32_t step[LEAF_STEPS]; /* a schedule of the required events */
    struct leaf_excluded excluded[LEAF_EXCLUDED];
};

static inline bool leaf_is_whole(const struct leaf *leaf)
{
    return leaf->nsteps == 0 && leaf->nexcluded == 0;
}

/* Are all counts in range? What the steps lead to is found out by running them. */
static inline bool leaf_is_sane(const struct leaf *leaf)
{
    if (leaf->nsteps > LEAF_STEPS || leaf->nexcluded > LEAF_EXCLUDED)
        return false;
    for (uint32_t i = 0; i < leaf->nexcluded; i++)
        if (leaf->excluded[i].tid >= LEAF_THREADS || leaf->excluded[i].op.nobjects > OP_OBJECTS)
            return false;
    return true;
}

#endif
