/* Optimal dynamic partial-order reduction: one execution per Mazurkiewicz trace (source sets
 * and wakeup trees: Abdulla, Aronis, Jonsson, Sagonas, POPL 2014).
 *
 * The path of the execution being run is a stack of frames, one per event. A frame knows which
 * events need not be explored from its state (the sleep set: every trace that can begin with
 * one of them is covered) and which sequences of events still have to be (the wakeup tree):
 *
 *     frame 0      frame 1      frame 2
 *     sleep {}     sleep {B}    sleep {}          event: the branch being explored
 *     ──A:x=1──▶   ──C:r=y──▶   ──B:x=2──▶ …      tree:  branches that wait, in this order
 *     tree ┬ B ─ C
 *          └ C ─ D
 *
 * At the end of an execution each race is reversed: for two adjacent events e, f of a race the
 * sequence "all that does not happen after e, then f" is added to the tree of the frame that e
 * leaves, unless a sleeping event or a branch of the tree can come first in it, because then
 * the trace is or will be covered. When the last event of a branch is reached, nothing sleeps
 * any more: so no execution is wasted, and no trace is run twice.
 *
 * Blocking. Whether a thread is enabled depends on the objects that its operation names, so an
 * event that writes one of them races with the pending operation of a blocked thread as well:
 * optimal_races.c looks back from a blocking operation over all the versions of its object
 * until one in which it was enabled.
 *
 * Some things are unknown before a branch is run: whether a thread is enabled at a state that
 * was never visited, and which form an operation takes there (does the CAS fail?). Branches
 * that rest on a guess are `unsure`: they absorb no other sequence and are checked again when
 * their turn comes. A wrong guess costs an abandoned execution (stats->pruned), never a trace.
 *
 * A failure or an assumption that does not hold ends an execution in the middle: the event that
 * caused it depends on everything. Whether an event would do so after reading other values is
 * not known before it is run either; nor is what it depends on, if that is plain memory. So
 * where it does not end the execution it wakes everything that sleeps (early_ends.h). The first
 * time that an execution ends like this, the search begins again and takes it into account:
 * most programs do not need it.
 *
 * Data choices: an event is a thread with the values that it chose; another value is another
 * event, in conflict with it. */
#ifndef MAZUR_EXPLORE_OPTIMAL_H
#define MAZUR_EXPLORE_OPTIMAL_H

#include "explore/leaves/ordered.h"
#include "explore/optimal/optimal_choices.h"
#include "explore/reduction/clocks.h"
#include "explore/strategy/strategy.h"
#include "explore/world/early_ends.h"

/* --- events and wakeup trees --- */

struct optimal_event {
    struct op op;
    uint64_t wait; /* op.wait when it was pending */
    uint32_t tid;
    uint32_t choice;
    bool vague; /* not executed in this place yet: `op` is an upper bound of its dependences */
    bool given; /* it sleeps because what begins with it belongs to another leaf */
};

/* One node of a wakeup tree: an event, then the branches after it. */
struct optimal_node {
    struct optimal_event event;
    uint32_t child; /* first branch below, 0: a leaf */
    uint32_t next;  /* next branch beside it */
    bool unsure;    /* of a leaf: see above */
    bool guess;     /* of a leaf: the thread may be disabled there */
    bool end;       /* not a leaf, but a sequence ends here: what follows may be impossible */
};

/* A step on the way from a branch to a leaf. */
struct optimal_way {
    uint32_t node;
    uint32_t before; /* the branch before it that is kept, 0: it is the first */
};

/* A sequence to be added to a tree. */
struct optimal_sequence {
    VECTOR(const struct optimal_event *) event;
    uint32_t first; /* what is left of it begins here */
    bool unsure;
    bool guess; /* the last event may be impossible */
};

struct optimal_frame {
    struct optimal_event event; /* the branch being explored; final form once executed */
    uint32_t tree;              /* branches that wait */
    uint32_t below;             /* what is left of the branch, for the next frame */
    uint32_t sleep;             /* start of its sleep set */
    uint32_t race;              /* start of the races that end in its event */
    uint32_t situation;
    uint32_t previous;            /* step of the same thread before, 0: none */
    uint32_t global;              /* last OP_GLOBAL step before */
    uint32_t version[OP_OBJECTS]; /* last step before that wrote the object */
    bool open;                    /* it has an event */
    bool end;                     /* a sequence ends here, whatever happens to its branches */
    bool below_end;               /* the same for the next frame */
    bool blocks;                  /* the event could have been disabled */
    bool section;                 /* the event may do more in another place (op.h) */
    bool was_vague;               /* the event's form was not known before it was executed */
    bool wakes_all;               /* the event has ended an execution early elsewhere */
    bool explored;                /* an execution ran to its end through the event */
    uint8_t chain;                /* enum optimal_chain */
    uint32_t left;                /* branches that are done */
    threadset enabled;
};

/* Of a frame that a step of a leaf's chain leaves (optimal_leaf.c). */
enum optimal_chain {
    CHAIN_NONE = 0,
    CHAIN_DONE,   /* that step is done, and nothing else was explored yet */
    CHAIN_FOLLOWS /* it is the branch being explored */
};

/* A reversal to try: `second` comes before `first`. */
struct optimal_race {
    uint32_t first;
    uint32_t second; /* step; the same as `first`: another data choice */
};

struct optimal_steps {
    VECTOR(uint32_t) step;
};

struct optimal {
    struct strategy_context *context;
    struct ordered_leaf *leaf; /* NULL: the search is not that of a leaf */
    struct clocks clocks;      /* step n leaves frame n-1 */
    struct early_ends early_ends;
    struct optimal_choices choices;
    VECTOR(struct optimal_frame) frames;
    VECTOR(struct optimal_event) sleep; /* of all frames, one after the other */
    VECTOR(struct optimal_race) races;
    VECTOR(struct optimal_node) nodes; /* of all trees; node 0 is not used */
    uint32_t free_nodes;
    struct table versions; /* object → last step that wrote it, on the path */
    VECTOR(struct optimal_steps) threads;
    uint32_t global; /* last OP_GLOBAL step on the path */
    struct optimal_sequence sequence;
    VECTOR(uint32_t) candidate; /* scratch of race detection */
    VECTOR(uint32_t) heads;
    VECTOR(struct optimal_way) path;                              /* scratch of the tree */
    enum wait_answer (*must_wait)(uint64_t wait, uint64_t value); /* of the world; NULL: none */
    bool ends_early; /* an execution was stopped in the middle: any event may do that elsewhere
                      */

    /* of the execution being run */
    uint32_t cursor; /* frames entered */
    uint32_t kept;   /* frames with the same event as in the previous execution */
    uint32_t depth;  /* steps of the world that are part of `op` or of an earlier event */
    struct op op;    /* of the event being executed */
    uint32_t choice; /* of the event being executed */
    bool created;    /* it created a thread */
    bool running;    /* there is an event being executed */
    bool pruned;     /* it was given up as redundant, */
    bool blocked;    /* because all threads that could continue sleep for other leaves */
    bool diverged;
};

static inline struct optimal_frame *optimal_frame(struct optimal *optimal, uint32_t step)
{
    return &optimal->frames.item[step - 1];
}

/* optimal_races.c: notes the races that end in the event of `step`, which is not in `clocks`
 * yet.*/
void optimal_note_races(struct optimal *optimal, uint32_t step);
/* The execution has ended: adds the reversals of all its races to the trees. */
void optimal_reverse_races(struct optimal *optimal, const struct position *pos);

/* optimal_leaf.c. In a new frame: puts to sleep what the leaf excludes there; otherwise as
 * ordered_follow(). */
int optimal_leaf_extend(struct optimal *optimal, uint32_t index, const struct position *pos);
void optimal_leaf_give_up(struct optimal *optimal);
int optimal_leaf_split(struct optimal *optimal, struct leaf *gift, struct leaf *kept);
/* op.wait of a pending operation; 0 also if it may do more than wait and read (a section). */
static inline uint64_t optimal_wait_name(const struct op *pending)
{
    return pending->flags & OP_MAY_BLOCK && !(pending->flags & OP_GLOBAL) ? pending->wait : 0;
}
/* The frames in which only the leaf's own steps are tried. */
static inline uint32_t optimal_fixed(const struct optimal *optimal)
{
    return optimal->leaf ? optimal->leaf->fixed : 0;
}

/* optimal_wakeup.c */
/* Adds optimal->sequence, which is consumed, to the tree of a frame. */
void optimal_insert(struct optimal *optimal, uint32_t frame);
/* Takes the first branch of the frame's tree that is possible and, if more is known than when
 * it was added (news), not covered by now: its event becomes the frame's. False: there is
 * none. */
bool optimal_next_branch(struct optimal *optimal, uint32_t frame, bool news);
void optimal_free_tree(struct optimal *optimal, uint32_t node);

#endif
