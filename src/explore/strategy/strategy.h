/* A strategy decides what to run next; it is the part of a search that differs between dfs,
 * icb, dpor, replay, … The search (search/search.c) drives it: counts, bounds, statistics,
 * limits and what may be claimed belong to the search and are written once.
 *
 *   search_begin ─▶ begin          for every execution
 *   search_pick  ─▶ pick           a thread, PICK_PRUNE or PICK_DIVERGED
 *   search_choose ▶ choose         a data choice inside the step
 *   search_end   ─▶ end            STRATEGY_MORE, or STRATEGY_DONE: nothing left in this bound
 *                ─▶ next_bound     after DONE, when something was pruned by the bound and a
 *                                  larger one is to be searched
 *
 * A strategy must set stats->pruned_by_bound whenever it leaves something out because of
 * context->bound, and raise a reason (claim.h) whenever it leaves something out for any other
 * cause: the claims are computed only from these two and the outcomes.
 *
 * A strategy is not asked inside an atomic section, which it sees as one step (section.h).
 *
 * A strategy's memory comes from context->pool; it keeps no pointer to a position, no function
 * pointer and no pointer to constant data (the pool outlives the process that wrote it). */
#ifndef MAZUR_EXPLORE_STRATEGY_H
#define MAZUR_EXPLORE_STRATEGY_H

#include "base/pool.h"
#include "explore/claim/claim.h"
#include "explore/strategy/leaf.h"
#include "explore/strategy/search_options.h"
#include "explore/world/hb.h"
#include "explore/world/world.h"

enum verdict { STRATEGY_DONE = 0, STRATEGY_MORE };

enum strategy_trait {
    STRATEGY_SAMPLES = 1 << 0,  /* never covers anything for certain; takes no bound */
    STRATEGY_ITERATES = 1 << 1, /* BOUND_AUTO means 0, 1, 2, …; without this trait: no bound */
    STRATEGY_DELAYS = 1 << 2,   /* the bound that is iterated is the delay bound (--delay) */
    STRATEGY_REPLAYS = 1 << 3,  /* it is asked in the middle of atomic sections too */
    STRATEGY_UNBOUNDED = 1 << 4, /* BOUND_NONE means no bound, also with STRATEGY_ITERATES */
    STRATEGY_REDUCES = 1 << 5,   /* leaves out interleavings that it considers equivalent: it
                                    relies on seeing everything that threads do to each other */
    STRATEGY_COUNTS = 1 << 6,    /* runs every trace within a bound: --count-traces is exact */
    STRATEGY_STATEFUL = 1 << 7, /* compares states (search_options.states): it covers the states
                                   of the threads, not every trace, and can't be resumed */
    STRATEGY_TAKES_FAIR = 1 << 8,
    STRATEGY_TAKES_CSB = 1 << 9,
    STRATEGY_TAKES_CACHE = 1 << 10, /* --cache-states */
    STRATEGY_TAKES_PCT_DEPTH = 1 << 11,
    STRATEGY_TAKES_SEED = 1 << 12,
    STRATEGY_TAKES_WITHOUT = 1 << 14,
    STRATEGY_SPLITTABLE = 1 << 13,   /* has `enter` and `split`: its search can be divided */
    STRATEGY_REPEATS = 1 << 15,      /* every bound runs and counts those below it again */
    STRATEGY_BOUNDS_STEPS = 1 << 16, /* the bound that is iterated is that of --step-bound */
    STRATEGY_OTHER_BOUND = STRATEGY_DELAYS | STRATEGY_BOUNDS_STEPS, /* not of preemptions */
    STRATEGY_TAKES_SYMMETRIC = 1 << 17,
    STRATEGY_TAKES_POSTCONDITIONS = 1 << 18,
};

/* What the search and its strategy share. */
struct strategy_context {
    struct pool *pool;
    struct search_options options;
    struct search_stats stats;
    int bound;           /* of this iteration, BOUND_NONE without one */
    int bound_step;      /* from one bound to the next; 1 unless the strategy says otherwise */
    int last_bound;      /* no bound above this will be searched; INT_MAX: open */
    int preemptions;     /* of this execution, before the position being asked about */
    bool follows;        /* set by `pick`: this step, with its data choices, repeats one of an
                            earlier execution (only counts depend on it) */
    struct claim *claim; /* what was left out, and why (claim.h) */
    bool turned_back;    /* it pruned at a known state: claims rest on position.ways_agree */
    double weight;       /* of the execution that ended: its share of this bound (estimate.c);
                            0 where the strategy does not know */
    double fraction; /* instead of weights: how much of this bound is explored, 0: unknown */
    /* Of the execution that ended, if the search is in a leaf: */
    bool outside;  /* its trace is not one of the leaf's: another leaf counts it */
    uint32_t slot; /* split number at which it would be given away; LEAF_SLOTS: never */
};

static inline void strategy_raise(struct strategy_context *context, enum claim_reason reason)
{
    claim_raise(context->claim, reason, NULL);
}

/* An execution did not follow its prefix, or ended inside it, so what follows the prefix was
 * not reached. */
static inline void strategy_raise_lost(struct strategy_context *context)
{
    if (!claim_has(context->claim, REASON_STOPPED)) /* then this is the cause */
        strategy_raise(context, REASON_PREFIX_LOST);
}

/* Operations depend on each other without declaring it. */
static inline void strategy_raise_unseen(struct strategy_context *context)
{
    strategy_raise(context, REASON_UNSEEN_DEPENDENCE);
}

struct strategy; /* each strategy's own state */

/* Where a strategy is on its path: before it is asked for a thread. Each uses some of this. */
struct strategy_mark {
    uint32_t cursor;  /* steps so far, the one that has just been taken included: never 0, so
                         that  a strategy that takes over refuses the marks of the one before */
    uint32_t choices; /* data choices so far, or the one so far of the current step */
    uint32_t depth;   /* steps that it has seen */
    uint32_t open, moments, threads;
    bool running;
    struct hb_mark hb;
};

enum strategy_goes_on { MARK_GOES_ON, MARK_GONE, MARK_LATER };

struct strategy_ops {
    const char *name;
    unsigned traits;  /* STRATEGY_* */
    const char *help; /* a line for `mazur help strategies`; NULL: not a --strategy */
    /* NULL, with a message in `error`, when an option makes no sense for it. */
    struct strategy *(*create)(struct strategy_context *context, char *error,
                               unsigned long error_size);
    void (*begin)(struct strategy *strategy);
    int (*pick)(struct strategy *strategy, const struct position *pos);
    int (*choose)(struct strategy *strategy, int n);
    enum verdict (*end)(struct strategy *strategy, const struct position *pos,
                        enum outcome outcome);
    /* Executions that begin at a checkpoint (runtime/driver/path.c). mark: notes where the
     * execution is; false: it can't go on from here later. go_on, right after `begin`:
     *   MARK_GOES_ON   this execution has the marked moment, too, because it makes the same
     *                  choices up to there. The strategy is where it would be if it had been
     *                  asked up to there
     *   MARK_GONE      it has not: the mark must not be used again, nor those made after it
     *   MARK_LATER     it has not, but it is not one of the path
     * NULL: never. */
    bool (*mark)(struct strategy *strategy, struct strategy_mark *mark);
    enum strategy_goes_on (*go_on)(struct strategy *strategy, const struct strategy_mark *mark);
    /* context->bound has been raised. DONE: nothing is left to explore after all. NULL: the
     * path is empty, and the search starts again at the root. */
    enum verdict (*next_bound)(struct strategy *strategy);
    /* Frees what is not in the pool; NULL: nothing. */
    void (*destroy)(struct strategy *strategy);
    /* pack: between two executions, moves what is not in the pool there, so that another
     * process can resume from a copy of it; false: that is impossible. unpack: the other
     * process's side. NULL: everything is in the pool. */
    bool (*pack)(struct strategy *strategy);
    void (*unpack)(struct strategy *strategy);
    /* STRATEGY_SPLITTABLE. Before the first execution: restricts the search to the traces of
     * the leaf. False: it can't. */
    bool (*enter)(struct strategy *strategy, const struct leaf *leaf);
    /* Between two executions: gives away a part of the leaf. *gift is that part, *kept what is
     * left. Returns a slot: the executions of the gift that were already run are those with
     * that context->slot. -1: there is nothing to give away. */
    int (*split)(struct strategy *strategy, struct leaf *gift, struct leaf *kept);
    /* The strategy can no longer search its leaf: the program must be searched without leaves.
     */
    bool (*gave_up)(const struct strategy *strategy);
    /* Has another strategy taken over, which can't split? NULL: no. */
    bool (*is_taken_over)(const struct strategy *strategy);
};

static inline enum verdict strategy_next_bound(const struct strategy_ops *ops,
                                               struct strategy *strategy)
{
    return ops->next_bound ? ops->next_bound(strategy) : STRATEGY_MORE;
}

#define STRATEGY(name) extern const struct strategy_ops strategy_##name;
#include "explore/strategy/strategies.def"
#undef STRATEGY

/* Copies a text, cut to fit; does nothing if size is 0. */
void strategy_copy(char *to, unsigned long size, const char *text);

#endif
