/* Dynamic partial-order reduction, with and without a bound: the engine behind the strategies
 * dpor and bpor (paper 002).
 *
 * A depth-first search over the executions of the program (Algorithm 2). Each frame of the
 * path is a state with the threads to explore from it; that set starts with one thread and
 * grows while the subtree below is explored, whenever two dependent steps turn out to be
 * reversible.
 *
 *     frame     0      1      2      3      4
 *               ──A──▶ ──B──▶ ──A──▶ ──A──▶ ──B──▶
 *                             ▲             └─ this write depends on A's step at frame 2:
 *                             │                B is added to that frame's `backtrack`;
 *                             └─ the switch there may cost a preemption, so under a bound B is
 *                                also added where A's run of steps began (Algorithm 3)
 *
 * The bounded search is cheap where the bound prunes nothing: points that only the bound
 * requires are kept in `conservative`, and are explored only if something below the frame was
 * in fact left out because of the bound (the aim of section 5.4, decided afterwards instead of
 * in advance). An unbounded search never explores them: dpor is bpor without bound.
 *
 * Sleep sets: see por_sleep.c. */
#ifndef MAZUR_EXPLORE_POR_H
#define MAZUR_EXPLORE_POR_H

#include "base/hash.h"
#include "explore/leaves/ordered.h"
#include "explore/reduction/clocks.h"
#include "explore/strategy/strategy.h"
#include "explore/world/early_ends.h"
#include "explore/world/fair.h"

struct por_frame {
    uint32_t chosen; /* thread of the step that leaves this state */
    uint32_t situation;
    uint32_t block;       /* first frame of the thread's run of consecutive steps that this
                           * frame is in */
    uint32_t preemptions; /* before this state; not counted: switching from an unfair thread */
    int last;             /* thread of the previous step */
    bool last_goes_on;    /* it could continue, within the fair bound: all others are
                           * preemptions */
    bool last_yields;     /* switching is free because its pending operation yields */
    bool ended;      /* after its step `chosen` can't continue, for all data choices so far */
    bool pruned_now; /* the bound left something out below the current alternative */
    bool pruned;     /* … below any alternative so far */
    bool cut_now;    /* the depth limit ended the steps that begin here, and others could run */
    uint32_t alternatives; /* size of `backtrack`, for the estimate */
    uint32_t finished;     /* how many of them are explored */
    threadset enabled;
    threadset backtrack;    /* to be explored, or explored */
    threadset conservative; /* to be added to it if the bound prunes something */
    threadset done;         /* explored, or not affordable */
    threadset sleep;        /* need not be explored: covered whatever the bound */
    threadset bound_sleep;  /* need not be explored: covered within the bound */
    threadset unfair;       /* enabled, but beyond the fair bound (por_fair.c) */
    struct op op; /* what `chosen` did, over all data choices so far; OP_NONE: not yet */
    struct hash128 state; /* sdpor: key of the state, and … */
    uint32_t node;        /* … the chosen thread's operation, in its pending form, in the
                           * graph */
};

/* A thread was explored from a frame, and what it did there. */
struct por_slept {
    uint32_t frame;
    uint32_t tid;
    uint32_t before; /* index + 1 of the same thread's previous entry */
    struct op op;
};

struct por_states; /* sdpor.c: what is known of states; NULL in the other strategies */

/* A step of the path, for por_post.c. */
struct por_performed {
    struct op op;
    bool unknown; /* it ended another execution: nobody knows what it depends on */
};

struct por_choice {
    uint32_t frame;
    uint32_t index;
    uint32_t count;
};

struct por {
    struct strategy_context *context;
    /* The algorithm as paper 002 proves it. Otherwise with source sets (any thread that can
     * begin the reversal will do), only dependences that no other one implies, backtracking
     * before the acquire instead of the release (section 5, optimisations 1 and 3),
     * conservative points only where the bound has pruned something, and sleep sets;
     * options.without switches these off one by one. */
    bool plain;
    struct clocks clocks;
    struct early_ends early_ends;
    struct fair fair;
    struct por_states *states;
    VECTOR(struct por_frame) frames;
    VECTOR(struct por_choice) choices; /* data choices of the path, by frame */
    VECTOR(struct por_slept) slept;    /* in the order of their frames */
    VECTOR(uint32_t) slept_last;       /* by thread: index + 1 of its last entry */
    VECTOR(uint32_t) candidate;        /* scratch of race detection, by thread */
    VECTOR(uint32_t) racing;
    VECTOR(struct por_performed) performed; /* with --postconditions: the steps of the path */
    uint32_t cursor;                        /* frames passed by this execution */
    uint32_t choice_cursor;
    struct ordered_leaf *leaf; /* NULL: the search is not in a leaf */
    uint32_t kept;             /* frames with the same step as in the previous execution */
    bool diverged;
    /* sdpor: the steps from frame `first` on have led back to its state, and every thread that
     * could run took part; they are repeated up to the step limit. 0 steps: no such cycle. */
    struct {
        uint32_t first;
        uint32_t steps;
        uint32_t at;
    } round;
};

struct strategy *por_create(struct strategy_context *context, bool plain);
struct por *por_of(struct strategy *strategy);
void por_begin(struct strategy *strategy);
int por_pick(struct strategy *strategy, const struct position *pos);
int por_choose(struct strategy *strategy, int n);
enum verdict por_end(struct strategy *strategy, const struct position *pos,
                     enum outcome outcome);

bool por_mark(struct strategy *strategy, struct strategy_mark *mark);
enum strategy_goes_on por_go_on(struct strategy *strategy, const struct strategy_mark *mark);

bool por_enter(struct strategy *strategy, const struct leaf *leaf);
int por_split(struct strategy *strategy, struct leaf *gift, struct leaf *kept);
bool por_gave_up(const struct strategy *strategy);

/* --- between the files of the engine --- */

/* por_races.c: thread `tid` executes `op`, or would if it could: adds a backtrack point for
 * each race with the steps before it (not in the plain algorithm). */
void por_races(struct por *por, int tid, const struct op *op);
/* The point of the plain algorithm before the step that leaves frame `index`. */
void por_add_point(struct por *por, uint32_t index, int tid);
/* A point that only a bound requires. */
void por_add_conservative(struct por *por, uint32_t index, int tid);
/* At a new state, after step `done`: the points of the plain algorithm. */
void por_plain_races(struct por *por, const struct position *pos, const struct op *done);
/* por_sleep.c: the sleep sets of a new frame; of a frame whose alternative is explored; the
 * last frame of the path is removed. */
void por_sleep_enter(struct por *por, struct por_frame *frame, const struct position *pos);
void por_sleep_leave(struct por *por, uint32_t index);
void por_sleep_pop(struct por *por, uint32_t index);

/* A thread sleeps in the frame, which is the last one, because of what it would do. */
void por_sleep_add(struct por *por, struct por_frame *frame, uint32_t tid, const struct op *op);

/* por_leaf.c. In a new frame: puts to sleep what the leaf excludes there. Returns the thread of
 * the leaf's next step, PICK_PRUNE if its chain ends or can't be followed, or ORDERED_FREE. */
int por_leaf_extend(struct por *por, struct por_frame *frame, const struct position *pos);
/* Everything in a frame of the chain is done: returns a thread to begin with if only the
 * chain's own thread was tried; else -1. */
int por_leaf_begin_anew(struct por *por, uint32_t index);
/* The execution has ended. False: the leaf can't be searched. */
bool por_leaf_end(struct por *por, enum outcome outcome);

/* por_fair.c: counts yields; the unfair threads of a new frame; the points that a step adds to
 * its frame.
 */
void por_fair_begin(struct por *por);
void por_fair_step(struct por *por, const struct position *pos);
void por_fair_enter(struct por *por, struct por_frame *frame);
void por_fair_leave(struct por *por, struct por_frame *frame, const struct position *pos);
/* No thread is within both bounds: the execution is given up. */
void por_fair_stuck(struct por *por, const struct position *pos);

/* por_post.c. The step that leaves the last frame passed; in a new state, after its points were
 * added: do the postconditions of the plain algorithm hold? Both do nothing without
 * --postconditions. */
void por_post_step(struct por *por, const struct op *done, bool unknown);
void por_post_check(struct por *por, const struct position *pos);

/* sdpor.c. At a new state: true if it is known and need not be explored again; then the points
 * that exploring it would have added have been added. */
bool por_states_turn_back(struct por *por, struct por_frame *frame, const struct position *pos);
/* The thread of a frame is picked; its step has led here; the frame is removed. */
void por_states_pick(struct por *por, struct por_frame *frame, const struct position *pos);
void por_states_step(struct por *por, const struct por_frame *frame, const struct position *pos,
                     const struct op *done);
void por_states_pop(struct por *por, const struct por_frame *frame);

/* Preemptions after continuing with `tid` here. */
static inline uint32_t por_cost(const struct por_frame *frame, int tid)
{
    return frame->preemptions + (frame->last_goes_on && tid != frame->last);
}

/* Is switching to `tid` here within the preemption bound? */
static inline bool por_few_preemptions(const struct por *por, const struct por_frame *frame,
                                       int tid)
{
    int bound = por->context->bound;
    return bound == BOUND_NONE || por_cost(frame, tid) <= (uint32_t)bound;
}

/* Is a part of the optimised algorithm switched off (--without)? */
static inline bool por_lacks(const struct por *por, enum reduction_part part)
{
    return por->plain || por->context->options.without & part;
}

static inline bool por_bounded(const struct por *por)
{
    return por->context->bound != BOUND_NONE || por->context->options.fair >= 0;
}

#endif
