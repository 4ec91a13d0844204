/* The work queue of iterative context bounding (paper 003, Algorithm 1): prefixes that end in a
 * preemption and wait for the next phase.
 *
 * One *record* holds all preemptions that one execution offers: its schedule once, run-length
 * encoded, and per position the threads to which it may switch. Thus a position costs a few
 * bytes instead of a copy of its prefix; what exceeds the memory limit is spilled to a file.
 *
 *   header | path: runs (tid, length) and data choices | offers: (position, situation, tids) …
 */
#ifndef MAZUR_EXPLORE_WORKQUEUE_H
#define MAZUR_EXPLORE_WORKQUEUE_H

#include "base/spill.h"
#include "base/vector.h"
#include "explore/exhaustive/tree.h"

struct workqueue_header {
    uint32_t phase; /* in which its items are to be run */
    uint32_t path_size;
    uint32_t offers_size;
};

struct workqueue {
    struct pool *pool;
    struct spill spill;
    /* the record being written: offers of the execution being run */
    VECTOR(uint8_t) offers;
    VECTOR(uint8_t) path;
    uint32_t last_offered; /* position of the last offer */
    uint64_t offered;      /* items pushed, in total */
    /* the record being read */
    struct workqueue_header current;
    VECTOR(uint8_t) record;  /* its offers */
    VECTOR(uint32_t) prefix; /* its path, decoded: `chosen` of each frame */
    uint32_t read;           /* bytes of `record` already read */
    uint32_t position;       /* of the offer being taken */
    uint32_t situation;
    uint32_t remaining; /* threads of that offer not yet taken */
};

/* One item: run prefix[0 … position), then switch to `tid`. */
struct workqueue_item {
    uint32_t position;
    uint32_t situation; /* hash that the frame at `position` must have */
    uint32_t tid;
};

void workqueue_init(struct workqueue *queue, struct pool *pool, size_t memory_limit);
/* At frame `position` of the execution being run these threads are offered. */
void workqueue_offer(struct workqueue *queue, uint32_t position, uint32_t situation,
                     const threadset *others);
/* The execution ended: write its offers, if any, as one record for `phase`. */
void workqueue_push(struct workqueue *queue, uint32_t phase, const struct tree *tree);
/* Is there a record, and for which phase? Loads it. False: the queue is empty, or lost. */
bool workqueue_load(struct workqueue *queue);
/* The next item of the loaded record; false: it has none left. */
bool workqueue_next(struct workqueue *queue, struct workqueue_item *item);

#endif
