/* A search: one strategy over one world, its bounds, its counts.
 *
 * Protocol, for each execution:
 *     search_begin(s);
 *     at every position: tid = search_pick(s, pos)   thread to execute, or PICK_* below
 *     inside a step:     v = search_choose(s, n)     data choice 0 … n-1
 *     more = search_end(s, pos, outcome);            false: the search is over
 *
 * search_end takes the final position: `done` is the last step executed, `enabled` may be
 * non-empty after a failure. Everything that a search allocates comes from its pool, and
 * nothing is static: the pool may be shared memory that outlives a crashed process. */
#ifndef MAZUR_EXPLORE_SEARCH_H
#define MAZUR_EXPLORE_SEARCH_H

#include "base/pool.h"
#include "explore/strategy/search_options.h"
#include "explore/strategy/strategy.h"
#include "explore/world/world.h"

struct strategy_ops;
struct search;
struct leaf;

/* What was left out, and why. Until the search is given a list that outlives it, it uses a list
 * of its own; reasons that the world adds to the list count, too. */
void search_set_claim(struct search *search, struct claim *claim);
const struct claim *search_claim(const struct search *search);

/* NULL and a message in `error` for an unknown strategy or an option that it does not
 * support. */
struct search *search_create(struct pool *pool, const struct search_options *options,
                             char *error, unsigned long error_size);
/* A search with a strategy that is not in the table: variants, and broken ones that show that
 * the tests can fail. Such a search lives and dies with its process. */
struct search *search_create_custom(struct pool *pool, const struct strategy_ops *ops,
                                    const struct search_options *options, char *error,
                                    unsigned long error_size);
/* A search of one execution: follows `schedule` (thread slots, and SCHEDULE_CHOICE | value for
 * data choices), then continues without preemptions. Never complete. */
struct search *search_create_replay(struct pool *pool, const uint32_t *schedule, uint32_t n,
                                    const struct search_options *options);
/* A search that makes a failing execution simpler (simplify.c): what it may cost, what it
 * found. Its world identifies failures in position.failure. */
struct simplify_request {
    uint64_t executions;
    uint64_t steps;
    bool reduce;      /* partial-order reduction is sound for this program */
    uint64_t failure; /* position.failure that the given execution must have; 0: any */
};

struct simplification {
    bool repeated; /* the given execution failed again; else nothing else is meaningful */
    bool finished; /* it was not stopped from outside */
    bool cut;      /* the budget ended before everything with as few preemptions was compared */
    bool compared; /* no other execution with this failure is simpler */
    bool earliest; /* one step before the inflection point a continuation does not fail */
    int excluded;  /* no execution with at most this many preemptions has this failure; -1:
                    * unknown */
    uint32_t given_preemptions, given_switches, given_steps;
    uint32_t preemptions, switches, steps; /* of the simplest that was found */
    uint32_t inflection;    /* after this many steps every continuation fails; UINT32_MAX:
                             * unknown */
    uint64_t continuations; /* that were run to prove it */
    uint64_t executions;    /* in all */
    uint64_t failure;       /* position.failure of the given execution */
};

struct search *search_create_simplify(struct pool *pool, const uint32_t *schedule, uint32_t n,
                                      const struct search_options *options,
                                      const struct simplify_request *request);
/* Before the first execution: search a leaf only (strategy/leaf.h). False: the strategy can't.
 */
bool search_enter(struct search *search, const struct leaf *leaf);
/* Between two executions: gives away a part of the leaf; *kept is what is left, and the counts
 * are those of *kept. False: there is nothing to give away, or more than `most` of its
 * executions were run, which whoever gets it repeats. */
bool search_split(struct search *search, struct leaf *gift, struct leaf *kept, uint64_t most);
/* The leaf can't be searched: the program must be searched without leaves. */
bool search_gave_up(const struct search *search);
/* Has another strategy taken over, so that the search can no longer be split? */
bool search_is_taken_over(const struct search *search);
/* Has a leaf been entered? */
bool search_in_leaf(const struct search *search);
/* Did the last execution end its bound normally, so that the counts cover everything within
 * it? */
bool search_closed_bound(const struct search *search);
/* In a leaf a search ends after each bound: continues with the next bound, if there is one.
 * True: there is an execution to run; else that bound is finished as well. */
bool search_is_held(const struct search *search);
bool search_next_bound(struct search *search);
/* Change the options to those of a replay. */
void search_follows(struct search_options *options);
void search_simplified(const struct search *search, struct simplification *facts,
                       const uint32_t **schedule, uint32_t *n);
/* After search_end: is there more to explore, so that the search can be resumed? */
bool search_unfinished(const struct search *search);
/* Resuming in another process, with a copy of the pool at the same address: search_pack()
 * before the copy, between two executions (false: impossible); search_unpack() after it, with
 * the number of executions at which to stop (0: no limit). */
bool search_pack(struct search *search);
void search_unpack(struct search *search, uint64_t execs);
/* Frees what is not in the pool: a descriptor. The pool's memory is freed with the pool. */
void search_destroy(struct search *search);
/* The name of the strategy in use: what "auto" stands for. */
const char *search_strategy(const struct search *search);
void search_begin(struct search *search);
int search_pick(struct search *search, const struct position *pos);

/* A moment of an execution, before search_pick, at which a later one may begin. */
struct search_mark {
    struct strategy_mark strategy;
    struct hb_mark hb;
    int preemptions;
    uint32_t hashed, blocking;
    bool follows;
};
/* False: no execution can begin here (yet). */
bool search_mark(struct search *search, struct search_mark *mark);
/* Right after search_begin: see strategy_ops.go_on. */
enum strategy_goes_on search_go_on(struct search *search, const struct search_mark *mark);
/* Always in range; after a divergence the next search_pick says PICK_DIVERGED. */
int search_choose(struct search *search, int n);
bool search_end(struct search *search, const struct position *pos, enum outcome outcome);
const struct search_stats *search_stats(const struct search *search);
/* Preemptions used by the execution so far. */
int search_preemptions(const struct search *search);
/* Does the execution (or the last one) belong to no bound, because it was drawn at random? */
bool search_is_sampling(const struct search *search);

#endif
