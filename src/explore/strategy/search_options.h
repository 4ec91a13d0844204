/* What a search is asked to do, and what it reports: the part of a search that its strategy and
 * its caller both see. */
#ifndef MAZUR_EXPLORE_SEARCH_OPTIONS_H
#define MAZUR_EXPLORE_SEARCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/claim/limits.h"

#define BOUND_NONE (-1) /* no preemption bound */
#define BOUND_AUTO (-2) /* 0, 1, 2, … until complete */

/* What --without switches off in dpor and bpor: parts that make them faster and that their
 * proofs don't need (paper 002, sections 5 and 5.4). In the order of the option's words. */
enum reduction_part {
    PART_SLEEP = 1 << 0,      /* sleep sets (5.4) */
    PART_TRANSITIVE = 1 << 1, /* optimisation 1: no point for a race that another one implies */
    PART_SOURCE = 1 << 2,     /* optimisation 2, as source sets: any thread that can begin the
                                 reversal will do */
    PART_RELEASE = 1 << 3,    /* optimisation 3: points before the acquire, not the release */
    PART_DEFERRED = 1 << 4,   /* 5.4: conservative points only where the bound has pruned */
    PARTS_ALL = (1 << 5) - 1,
};

enum scout_mode { SCOUT_ON = 0, SCOUT_OFF };

struct search_options {
    char strategy[16];   /* "auto", "dfs", "icb", … */
    int bound;           /* N: iterate 0 … N; BOUND_NONE; BOUND_AUTO */
    int first_bound;     /* start here instead of at 0 (not icb); includes the bounds below */
    uint32_t without;    /* dpor, bpor: enum reduction_part */
    bool postconditions; /* dpor-plain, bpor-plain: check them (por_post.c) */
    int csb;             /* icb: bound inside one phase (paper 003, Algorithm 1) */
    int fair;            /* fair bound, -1: none */
    int delay;           /* delay bound of the delay strategy, -1: iterate */
    int step_bound;      /* idb: last bound of the steps, -1: until complete */
    int pct_depth;       /* pct: number of priority change points + 1 */
    uint32_t depth;      /* step limit of one execution, for estimates and pct */
    uint64_t seed;
    uint64_t execs; /* stop after this many executions; 0: no limit */
    bool keep_going;
    bool count_traces;
    bool count_states; /* --count-states: happens-before states visited (measure.h) */
    bool must_count;   /* --count-traces: auto chooses a strategy with STRATEGY_COUNTS */
    bool automatic;    /* auto has chosen the strategy, and may choose again (auto.c) */
    uint32_t scout;    /* enum scout_mode: may auto use the scout? */
    bool scouts;       /* set by auto: the scout takes its share (scout.h) */
    bool was_cut;      /* executions were cut before this search began */
    bool states;       /* set by the world: its positions have a fingerprint */
    bool states_prove; /* … and no failure depends on the path to a state: no data races */
    uint32_t trace_states; /* cbpor: the most new states of one trace; 0: no limit */
    bool cache_states;     /* icb: skip states seen before, if the world can compare states */
};

/* One line of the bound table; `executions` and `distinct` are cumulative over the bounds. */
struct bound_row {
    int bound;
    uint64_t executions;
    uint64_t distinct;
    uint64_t states;      /* with count_states */
    uint64_t nanoseconds; /* filled in by the caller, which has a clock */
};

#define BOUND_ROWS LIMIT_BOUND_ROWS

/* States visited after a number of executions. */
struct state_point {
    uint64_t executions;
    uint64_t states;
};

#define STATE_POINTS 256 /* each an eighth after the one before: more than can be run */

struct search_stats {
    uint64_t executions; /* executions run to an end, pruned ones not counted */
    uint64_t pruned;     /* executions abandoned as redundant */
    uint64_t assumed;    /* executions given up at mazur_assume(0) */
    uint64_t sampled;    /* executions of the scout, in none of the other counts */
    uint64_t steps;
    uint64_t transitions; /* steps without those of replayed prefixes */
    uint64_t distinct;    /* happens-before classes among `executions` (hb.h) */
    bool distinct_exact;  /* false once the table of classes is full and it is an estimate */
    int bound;            /* bound being searched, BOUND_NONE without one */
    int bound_done;       /* largest bound completely searched, -1: none yet */
    bool pruned_by_bound; /* something was left out because of the current bound */
    bool depth_cut;       /* some execution reached the depth limit */
    bool complete;        /* every trace was covered, as far as the search knows */
    int max_threads;
    uint32_t max_depth;
    uint32_t max_blocking;    /* operations that may block, of one execution */
    uint32_t max_preemptions; /* of one execution */
    uint64_t postconditions;  /* with the option: states in which they were checked */
    uint64_t states;          /* with count_states: happens-before states visited */
    bool states_exact;        /* as distinct_exact */
    int npoints;
    struct state_point point[STATE_POINTS]; /* with count_states */
    double estimate; /* executions of the current bound, Knuth-style; 0: not known yet */
    int nrows;
    struct bound_row row[BOUND_ROWS]; /* bounds completely searched */
    int nfailures_seen;
    bool livelock; /* an execution within the fair bound reached the depth limit */
    bool diverged; /* a replayed prefix behaved differently: the program is nondeterministic */
    bool cycle;    /* an execution returned to one of its own states, and was pruned there */
};

#endif
