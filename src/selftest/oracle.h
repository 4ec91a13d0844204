/* The oracle: what a synthetic program can do, by brute force, and how much of it a search
 * covered.
 *
 * Both fill the same `struct oracle_coverage`: the oracle from all interleavings, a search from
 * the executions that it ran. A test then compares the tables: which of the oracle's keys that
 * are reachable with at most c preemptions are missing in the search's table, and how often did
 * each occur.
 *
 *     struct oracle_coverage all, seen;
 *     coverage_init(&all, pool); coverage_init(&seen, pool);
 *     if (oracle_enumerate(program, limit, &all)) {          // false: too many interleavings
 *         oracle_search(pool, program, &options, &seen, &stats);
 *         coverage_missing(&all.classes, &seen.classes, bound) == 0
 *     }
 *
 * Happens-before graphs are computed here from op_dependent() alone, event against event, and
 * independently of explore/world/hb.c: each event keeps the set of all events before it. */
#ifndef MAZUR_SELFTEST_ORACLE_H
#define MAZUR_SELFTEST_ORACLE_H

#include "base/hash.h"
#include "base/table.h"
#include "explore/search/search.h"
#include "explore/strategy/strategy.h"
#include "selftest/synth.h"

/* --- happens-before graphs --- */

#define TRACE_PER_THREAD 16 /* events of one thread: one 64-bit set for four threads */
#define TRACE_EVENTS     (SYNTH_THREADS * TRACE_PER_THREAD)

struct oracle_event {
    int tid;
    struct op op;
    uint64_t bit;       /* name of the event: (thread, index in the thread) */
    uint64_t past;      /* events that happen before it */
    struct hash128 key; /* hash of name, operation, data choice and past */
};

struct oracle_trace {
    int count;
    int per_thread[SYNTH_THREADS];
    struct oracle_event event[TRACE_EVENTS];
    struct hash128 sum; /* of all keys: the class of the execution */
};

/* --- coverage --- */

struct coverage_entry {
    uint32_t count;       /* how often it occurred */
    uint32_t preemptions; /* least number with which it occurred */
};

struct oracle_coverage {
    struct table interleavings; /* schedules with their data choices */
    struct table classes;       /* terminal happens-before graphs; `preemptions`: CB */
    struct table states;        /* happens-before graphs of all prefixes, the empty one too */
    struct table prefixes;      /* schedules with their data choices, and all their prefixes */
    struct table locals;        /* trace_local() of every event */
    struct table values;        /* thread, and everything that it has seen: coarser */
    struct table deadlocks;     /* terminal graphs that are deadlocks */
    struct table assumed;       /* terminal graphs in which an assumption failed: they do not
                                 * count */
    struct table concrete;      /* synth_fingerprint() of every state */
    uint32_t cuts;              /* executions in which a thread was cut */
    uint32_t most_preemptions;  /* of any interleaving */
    uint32_t most_steps;        /* of one that ended, … */
    uint32_t by_steps[TRACE_EVENTS + 1]; /* how many ended after that many steps, unless an
                                          * assumption failed */
    uint32_t most_blocking;              /* … of these, that may block */
    bool ends_only;                      /* set to record only the ends: faster */
    bool in_order;                       /* executions came in order of preemptions */
    uint32_t last_preemptions;
    struct hash128 last; /* class of the last execution that ended */
};

void coverage_init(struct oracle_coverage *coverage, struct pool *pool);
/* Number of entries of `all` with at most `bound` preemptions that `seen` lacks. -1: no
 * bound. */
uint32_t coverage_missing(const struct table *all, const struct table *seen, int bound);
/* Number of entries of `table` with at most `bound` preemptions. */
uint32_t coverage_count(const struct table *table, int bound);
/* The largest `count` of any entry, 0 for an empty table. */
uint32_t coverage_repeats(const struct table *table);
/* Number of entries of `seen` that need more than `bound` preemptions, or that `all` lacks. */
uint32_t coverage_excess(const struct table *all, const struct table *seen, int bound);

/* All interleavings of the program. False: more than `limit` of them, coverage is partial. */
bool oracle_enumerate(const struct synth_program *program, uint32_t limit,
                      struct oracle_coverage *coverage);

/* The same for executions within a fair bound (paper 002, Definition 2.6). */
bool oracle_enumerate_fair(const struct synth_program *program, uint32_t limit, int fair,
                           struct oracle_coverage *coverage);

/* --- searching a synthetic program --- */

/* Runs a search to its end. *stats is its final state. False: search_create() refused. */
bool oracle_search(struct pool *pool, const struct synth_program *program,
                   const struct search_options *options, struct oracle_coverage *coverage,
                   struct search_stats *stats);
/* The same with a strategy of the caller's. */
bool oracle_search_custom(struct pool *pool, const struct synth_program *program,
                          const struct strategy_ops *ops, const struct search_options *options,
                          struct oracle_coverage *coverage, struct search_stats *stats);
/* Runs one execution of an existing search; returns the result of search_end(). Stores the
 * schedule, in the form that replay takes, in `schedule` if that is not NULL (room for 2 *
 * TRACE_EVENTS), and its length in *nschedule. */
bool oracle_execute(struct search *search, const struct synth_program *program,
                    struct oracle_coverage *coverage, uint32_t *schedule, uint32_t *nschedule);
/* Options for a test: strategy and bound, everything is explored, traces are counted. */
struct search_options oracle_options(const char *strategy, int bound);

#endif
