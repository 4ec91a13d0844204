/* What a search is asked to do, and what it reports: the part of a search that its strategy and
 * its caller both see. */
#ifndef MAZUR_EXPLORE_SEARCH_OPTIONS_H
#define MAZUR_EXPLORE_SEARCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/claim/limits.h"

#define BOUND_NONE (-1) /* no preemption bound */
#define BOUND_AUTO (-2) /* 0, 1, 2, … until complete */

struct search_options {
    char strategy[16]; /* "auto", "dfs", "icb", … */
    int bound;         /* N: iterate 0 … N; BOUND_NONE; BOUND_AUTO */
    int first_bound;   /* start here instead of at 0 (not icb); includes the bounds below */
    int csb;           /* icb: bound inside one phase (paper 003, Algorithm 1) */
    int fair;          /* fair bound, -1: none */
    int delay;         /* delay bound of the delay strategy, -1: iterate */
    int pct_depth;     /* pct: number of priority change points + 1 */
    uint32_t depth;    /* step limit of one execution, for estimates and pct */
    uint64_t seed;
    uint64_t execs; /* stop after so many executions; 0: no limit */
    bool keep_going;
    bool count_traces;
    bool must_count;       /* --count-traces: auto takes a strategy with STRATEGY_COUNTS */
    bool automatic;        /* auto has chosen the strategy, and may choose again (auto.c) */
    bool was_cut;          /* executions were cut before this search began */
    bool states;           /* set by the world: its positions have a fingerprint */
    bool states_prove;     /* … and no failure depends on the path to a state: no data races */
    uint32_t trace_states; /* cbpor: new states of one trace that are too many; 0: no limit */
    bool cache_states;     /* icb: skip states seen before, where the world can tell them apart */
};

/* One line of the bound table; `executions` and `distinct` are cumulative over the bounds. */
struct bound_row {
    int bound;
    uint64_t executions;
    uint64_t distinct;
    uint64_t nanoseconds; /* filled in by the caller, who owns a clock */
};

#define BOUND_ROWS LIMIT_BOUND_ROWS

struct search_stats {
    uint64_t executions; /* executions run to an end, pruned ones not counted */
    uint64_t pruned;     /* executions abandoned as redundant */
    uint64_t assumed;    /* executions given up at mazur_assume(0) */
    uint64_t steps;
    uint64_t distinct;    /* happens-before classes among `executions` (hb.h) */
    bool distinct_exact;  /* false once the table of classes is full and it is an estimate */
    int bound;            /* bound being searched, BOUND_NONE without one */
    int bound_done;       /* largest bound completely searched, -1: none yet */
    bool pruned_by_bound; /* something was left out because of the current bound */
    bool depth_cut;       /* some execution reached the depth limit */
    bool complete;        /* every trace was covered, as far as the search knows */
    int max_threads;
    uint32_t max_depth;
    double estimate; /* executions of the current bound, Knuth-style; 0: not known yet */
    int nrows;
    struct bound_row row[BOUND_ROWS]; /* bounds completely searched */
    int nfailures_seen;
    bool livelock; /* an execution within the fair bound reached the depth limit */
    bool diverged; /* a replayed prefix behaved differently: the program is nondeterministic */
    bool cycle;    /* an execution returned to one of its own states, and the search turned back */
};

#endif
