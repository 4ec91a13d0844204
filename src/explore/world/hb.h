/* The happens-before class of an execution as a 128-bit hash, built step by step.
 *
 * Two executions have the same hash iff (up to collisions) they have the same happens-before
 * graph over visible operations, i.e. are the same Mazurkiewicz trace. */
#ifndef MAZUR_EXPLORE_HB_H
#define MAZUR_EXPLORE_HB_H

#include "base/hash.h"
#include "base/table.h"
#include "base/vector.h"
#include "explore/world/op.h"

struct hb_thread {
    struct hash128 last; /* hash of its last event, 0 before the first */
    uint32_t events;
};

/* What a step changed. */
struct hb_change {
    uint64_t object;
    struct hash128 write, reads; /* of the object, before */
};
struct hb_past {
    struct hash128 last; /* of the thread, before */
    uint32_t tid;
    uint32_t changes; /* how many there were before */
};

/* A moment of an execution, to go back to. */
struct hb_mark {
    struct hash128 sum, global, choices;
    uint32_t steps;
};

struct hb {
    struct pool *pool;
    struct table objects; /* object → struct hb_object, of this execution */
    VECTOR(struct hb_thread) threads;
    struct hash128 sum;          /* of all threads' last events */
    struct hash128 global;       /* hash of the last OP_GLOBAL event */
    struct hash128 choices;      /* data choices of the step being executed */
    bool keeps;                  /* notes what its steps change, so that it can go back: */
    VECTOR(struct hb_past) past; /* by step */
    VECTOR(struct hb_change) changes;
};

void hb_init(struct hb *hb, struct pool *pool);
void hb_begin(struct hb *hb);
void hb_choice(struct hb *hb, int n, int value);
/* Thread `tid` has executed `op` (final form). Cost: O(objects of the operation). Returns the
 * hash of the event with its causal past: the local state of the thread. */
struct hash128 hb_step(struct hb *hb, int tid, const struct op *op);
/* From the next hb_begin() on hb_mark() and hb_go_back() may be called. */
static inline void hb_keep(struct hb *hb)
{
    hb->keeps = true;
}
struct hb_mark hb_mark(const struct hb *hb);
/* Instead of hb_begin(): the execution begins where the last one had the mark. */
void hb_go_back(struct hb *hb, const struct hb_mark *mark);
/* The class of the execution so far. */
struct hash128 hb_class(const struct hb *hb);

#endif
