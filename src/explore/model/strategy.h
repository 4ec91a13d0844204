/* A strategy decides what to run next; it is the part of a search that differs between dfs,
 * icb, dpor, replay, … (DESIGN 4). search.c drives it: counts, bounds, statistics, the limits
 * and what may be claimed are the search's business and written once.
 *
 *   search_begin ─▶ begin          for every execution
 *   search_pick  ─▶ pick           a thread, PICK_PRUNE or PICK_DIVERGED
 *   search_choose ▶ choose         a data choice inside the step
 *   search_end   ─▶ end            STRATEGY_MORE, or STRATEGY_DONE: nothing left in this bound
 *                ─▶ next_bound     after DONE, when something was pruned by the bound and a
 *                                  larger one is to be searched
 *
 * What a strategy owes: it sets stats->pruned_by_bound whenever it leaves something out because
 * of context->bound, and raises a reason (claim.h) whenever it leaves something out for any
 * other cause; what is claimed is computed from these two and the outcomes alone.
 *
 * Inside an atomic section a strategy is not asked: the section is one step to it (section.h).
 *
 * A strategy's memory comes from context->pool; it keeps no pointer to a position, no function
 * pointer and no pointer to constant data (the pool outlives the process that wrote it). */
#ifndef MAZUR_EXPLORE_STRATEGY_H
#define MAZUR_EXPLORE_STRATEGY_H

#include "explore/claim/claim.h"
#include "explore/plan/search.h"
#include "explore/plan/strategies.h"

enum verdict { STRATEGY_DONE = 0, STRATEGY_MORE };

/* What the search and its strategy share. */
struct strategy_context {
    struct pool *pool;
    struct search_options options;
    struct search_stats stats;
    int bound;        /* of this iteration, BOUND_NONE without one */
    int bound_step;   /* from one bound to the next; 1 unless the strategy says otherwise */
    int last_bound;   /* no bound above this will be searched; INT_MAX: open */
    int preemptions;  /* of this execution, before the position being asked about */
    struct claim *claim; /* what was left out, and why (claim.h) */
    bool turned_back;    /* at a state seen before: claims rest on position.ways_agree */
    double weight;    /* of the execution that ended: its share of this bound (estimate.c);
                         0 where the strategy can't tell */
    double fraction; /* instead of weights: what is explored of this bound so far, 0: unknown */
};

static inline void strategy_raise(struct strategy_context *context, enum claim_reason reason)
{
    claim_raise(context->claim, reason, NULL);
}

/* An execution did not follow the prefix that it was to follow, or ended inside it, so that
 * what lies behind the prefix was not reached. */
static inline void strategy_lost(struct strategy_context *context)
{
    if (!claim_has(context->claim, REASON_STOPPED)) /* then that is why */
        strategy_raise(context, REASON_PREFIX_LOST);
}

struct tree;
/* tree_advance(), with strategy_lost() where a part of the tree was not reached. */
bool strategy_advance(struct strategy_context *context, struct tree *tree);

/* Operations depend on each other without saying so. */
static inline void strategy_unseen(struct strategy_context *context)
{
    strategy_raise(context, REASON_UNSEEN_DEPENDENCE);
}

struct strategy; /* each strategy's own state */

struct strategy_ops {
    const char *name;
    unsigned traits; /* STRATEGY_*: what others need to know of it (strategies.h) */
    const char
        *help; /* a line for `mazur help strategies`; NULL: --strategy does not take it */
    /* NULL, with a message in `error`, when an option makes no sense to it. */
    struct strategy *(*create)(struct strategy_context *context, char *error,
                               unsigned long error_size);
    void (*begin)(struct strategy *strategy);
    int (*pick)(struct strategy *strategy, const struct position *pos);
    int (*choose)(struct strategy *strategy, int n);
    enum verdict (*end)(struct strategy *strategy, const struct position *pos,
                        enum outcome outcome);
    /* context->bound has been raised. DONE: nothing is left to explore after all. */
    enum verdict (*next_bound)(struct strategy *strategy);
    /* Give back what is not in the pool; NULL: nothing. */
    void (*destroy)(struct strategy *strategy);
    /* Between two executions: bring what is not in the pool there, so that another process can
     * go on with a copy of it; false: that can't be done. And the other process's side. NULL:
     * everything is in the pool. */
    bool (*pack)(struct strategy *strategy);
    void (*unpack)(struct strategy *strategy);
};

/* A search with a strategy that is not in the table: variants, and broken ones that show that
 * the tests can fail. Such a search lives and dies with its process. */
struct search *search_create_custom(struct pool *pool, const struct strategy_ops *ops,
                                    const struct search_options *options, char *error,
                                    unsigned long error_size);

/* strategies.c: the table of all of them. The search keeps the index, not the pointer. */
const struct strategy_ops *strategy_by_index(int index);
int strategy_index(const char *name); /* -1: unknown */

bool strategy_is(const struct search_options *options, const struct strategy_ops *ops);

/* Copy a text, cut to fit; nothing where size is 0. */
void strategy_copy(char *to, unsigned long size, const char *text);

extern const struct strategy_ops strategy_auto;
extern const struct strategy_ops strategy_dfs;
extern const struct strategy_ops strategy_icb;
extern const struct strategy_ops strategy_delay;
extern const struct strategy_ops strategy_random;
extern const struct strategy_ops strategy_pct;
extern const struct strategy_ops strategy_dpor;
extern const struct strategy_ops strategy_dpor_plain;
extern const struct strategy_ops strategy_bpor;
extern const struct strategy_ops strategy_bpor_plain;
extern const struct strategy_ops strategy_cbpor;
extern const struct strategy_ops strategy_cbpor_1;
extern const struct strategy_ops strategy_optimal;
extern const struct strategy_ops strategy_sdpor;
extern const struct strategy_ops strategy_replay;
extern const struct strategy_ops strategy_simplify;

/* ---- auto.c, for those who hand over in the middle of a search ---- */

/* cbpor, between two traces: would `auto_after_cbpor` be done with the bound sooner? `states`
 * and `steps` are those of the bound so far, over so many traces. */
bool auto_prefers_executions(int bound, uint64_t traces, uint64_t states, uint64_t steps);

/* Who goes on inside a search when there is too much to keep for cbpor, from the current bound
 * on; and when the depth limit has cut an execution of optimal, from the beginning. */
extern const struct strategy_ops *const auto_after_cbpor;
extern const struct strategy_ops *const auto_after_optimal;

/* Hand the schedule to a replay strategy that has just been created. */
void strategy_replay_load(struct strategy *strategy, const uint32_t *schedule, uint32_t n);
/* The same for simplify, and what came out of it. */
void strategy_simplify_load(struct strategy *strategy, const uint32_t *schedule, uint32_t n,
                            const struct simplify_request *request);
void strategy_simplify_result(const struct strategy *strategy, struct simplification *facts,
                              const uint32_t **schedule, uint32_t *n);

#endif
