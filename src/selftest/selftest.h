/* Checks of strategies against the oracle on random programs.
 *
 * A check looks at one program and returns NULL if the property holds, or a few words about
 * what does not hold. selftest_run() feeds it thousands of seeded programs and, when one fails,
 * prints the smallest program that still does. Used by the unit tests and `mazur selftest`. */
#ifndef MAZUR_SELFTEST_SELFTEST_H
#define MAZUR_SELFTEST_SELFTEST_H

#include "selftest/oracle.h"

struct selftest_case {
    struct pool *pool; /* scratch, discarded after the check */
    const struct synth_program *program;
    const struct oracle_coverage *all; /* from the oracle */
};

struct selftest_check {
    const char *name;
    const char *(*failure)(const struct selftest_case *one);
};

struct selftest_options {
    uint64_t seed;     /* of the first program */
    uint32_t programs; /* to look at; those that are too large are skipped and not counted */
    uint32_t limit;    /* interleavings of a program at most */
    bool glue;         /* programs with atomic sections */
    bool time_out;     /* programs with time-outs, if no other thread can run … */
    bool any_time_out; /* … or anywhere */
    bool spurious;     /* programs with spurious wake-ups */
    bool spin;         /* programs with idle loops */
    bool check;        /* programs that fail */
    bool touch;        /* programs that end early, by plain accesses */
    bool copy;         /* programs with operations that read one object and write another */
    bool synchronise;  /* programs with semaphores, a read-write lock and a barrier */
    bool nameless;     /* programs whose operations only show what they access */
    bool mixed;        /* each of these in some programs; a quarter have none */
    FILE *out;         /* where a failure is printed; NULL: nowhere */
};

/* All checks on every program. False: one failed. `tried`, where not NULL, is the number of
 * programs up to and including the failing one. */
bool selftest_run(const struct selftest_check *checks, int nchecks,
                  const struct selftest_options *options, uint32_t *tried);

/* checks_reduction.c. Fair: a fair bound, alone or with a preemption bound: all local states
 * and deadlocks within both. Waiting operations of the program become loops that yield, so that
 * it has cycles; programs that become too large are skipped. */
const char *selftest_fair(const struct selftest_case *one);
const char *selftest_fair_unreduced(const struct selftest_case *one);
const char *selftest_dpor(const struct selftest_case *one);
const char *selftest_dpor_plain(const struct selftest_case *one);
const char *selftest_without(const struct selftest_case *one);
const char *selftest_bpor(const struct selftest_case *one);
const char *selftest_bpor_plain(const struct selftest_case *one);
/* The program with loops that yield in place of waiting, and so with cycles. Waiting that may
 * time out stays: as a loop it would have fewer outcomes. */
void selftest_make_cyclic(const struct synth_program *program, struct synth_program *cyclic);
/* checks_postconditions.c. What the proofs of the bounded reduction promise of every state that
 * it leaves. */
const char *selftest_postconditions(const struct selftest_case *one);
const char *selftest_fair_postconditions(const struct selftest_case *one);
/* One complete execution per trace, and all traces. */
const char *selftest_one_per_trace(const struct selftest_case *one,
                                   const struct strategy_ops *ops, struct search_stats *stats);
const char *selftest_optimal(const struct selftest_case *one);
const char *selftest_optimal_waiting(const struct selftest_case *one); /* its reads wait */
/* Every local state and deadlock, for a strategy that prunes at known states. */
const char *selftest_states(struct pool *pool, const struct synth_program *program,
                            const struct strategy_ops *ops, struct search_stats *stats);
const char *selftest_sdpor(const struct selftest_case *one);
/* checks_cbpor.c. Every trace within bound 0, 1, 2, 3 and without one is run exactly once, with
 * as few preemptions as it can have, and no other is. */
const char *selftest_cbpor(const struct selftest_case *one);
const char *selftest_cbpor_1(const struct selftest_case *one);
const char *selftest_measures(const struct selftest_case *one);
/* The variants for programs with many prefixes. */
const char *selftest_cbpor_sparing(const struct selftest_case *one);
const char *selftest_cbpor_thin(const struct selftest_case *one);
const char *selftest_cbpor_private(const struct selftest_case *one);
/* checks_leaves.c. A search that is split at random: each trace is in exactly one leaf. */
const char *selftest_dfs_leaves(const struct selftest_case *one);
const char *selftest_icb_leaves(const struct selftest_case *one);
const char *selftest_delay_leaves(const struct selftest_case *one);
const char *selftest_dpor_leaves(const struct selftest_case *one);
const char *selftest_optimal_leaves(const struct selftest_case *one);
const char *selftest_cbpor_leaves(const struct selftest_case *one);
const char *selftest_cbpor_private_leaves(const struct selftest_case *one);

/* The checks of the strategies in the table, in the order of the manual. */
extern const struct selftest_check selftest_checks[];
extern const int selftest_nchecks;

/* `mazur selftest`. */
int selftest_main(int argc, char **argv);

#endif
