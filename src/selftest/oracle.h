/* The oracle: what a synthetic program can do, by brute force, and what a search covered of it.
 *
 * Both fill the same `struct oracle_coverage`: the oracle from all interleavings, a search from
 * the executions that it ran. A test then compares tables: which keys of the oracle's, among
 * those reachable with at most c preemptions, are missing in the search's, and how often was
 * each met.
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

/* Append an event; false: the trace is full. */
bool trace_push(struct oracle_trace *trace, int tid, const struct op *op, int choice);
void trace_pop(struct oracle_trace *trace);
/* The local state that the last event led its thread to: the graph of its past (paper 002,
 * section 2.2). */
struct hash128 trace_local(const struct oracle_trace *trace);

/* --- coverage --- */

struct coverage_entry {
    uint32_t count;       /* how often it was met */
    uint32_t preemptions; /* least number with which it was met */
};

struct oracle_coverage {
    struct table interleavings; /* schedules with their data choices */
    struct table classes;       /* terminal happens-before graphs; `preemptions`: CB */
    struct table states;        /* happens-before graphs of all prefixes, the empty one too */
    struct table locals;        /* trace_local() of every event */
    struct table values;        /* thread, and everything that it has seen: coarser */
    struct table deadlocks;     /* terminal graphs that are deadlocks */
    struct table assumed;       /* terminal graphs that do not count: an assumption failed */
    struct table concrete;      /* synth_fingerprint() of every state */
    uint32_t cuts;              /* executions in which a thread was cut */
    uint32_t most_preemptions;  /* of any interleaving */
    bool ends_only;             /* set to leave out what is met between the ends: faster */
    bool in_order;              /* executions came in order of preemptions */
    uint32_t last_preemptions;
};

void coverage_init(struct oracle_coverage *coverage, struct pool *pool);
/* Entries of `all` met with at most `bound` preemptions that `seen` lacks. -1: no bound. */
uint32_t coverage_missing(const struct table *all, const struct table *seen, int bound);
/* Entries of `table` met with at most `bound` preemptions. */
uint32_t coverage_count(const struct table *table, int bound);
/* The largest `count` of any entry, 0 for an empty table. */
uint32_t coverage_repeats(const struct table *table);
/* Entries of `seen` that need more than `bound` preemptions, or that `all` lacks. */
uint32_t coverage_excess(const struct table *all, const struct table *seen, int bound);

/* All interleavings of the program. False: more than `limit` of them, coverage is partial. */
bool oracle_enumerate(const struct synth_program *program, uint32_t limit,
                      struct oracle_coverage *coverage);

/* The same for executions within a fair bound (paper 002, Definition 2.6). */
bool oracle_enumerate_fair(const struct synth_program *program, uint32_t limit, int fair,
                           struct oracle_coverage *coverage);

/* --- searching a synthetic program --- */

/* Run a search to its end. *stats is its final state. False: search_create refused. */
bool oracle_search(struct pool *pool, const struct synth_program *program,
                   const struct search_options *options, struct oracle_coverage *coverage,
                   struct search_stats *stats);
/* The same with a strategy of the caller's. */
bool oracle_search_custom(struct pool *pool, const struct synth_program *program,
                          const struct strategy_ops *ops, const struct search_options *options,
                          struct oracle_coverage *coverage, struct search_stats *stats);
/* Run one execution of a search that is already there; the result is that of search_end. The
 * schedule, as replay takes it, goes to `schedule` where that is not NULL (room for 2 *
 * TRACE_EVENTS), its length to *nschedule. */
bool oracle_execute(struct search *search, const struct synth_program *program,
                    struct oracle_coverage *coverage, uint32_t *schedule, uint32_t *nschedule);
/* Options for a test: strategy and bound, everything is explored, traces are counted. */
struct search_options oracle_options(const char *strategy, int bound);

#endif
