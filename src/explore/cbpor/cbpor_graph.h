/* The states of cb-por (paper 000): what is known about every happens-before graph that is a
 * prefix of an execution that was run.
 *
 * Two numbers per state and thread, one per state:
 *
 *   arrive[t]   least preemptions to reach the state with thread t last      (255: can't)
 *   leave       least preemptions to take a step from it with any thread, so that
 *               CB(s, t) = min(leave, arrive[t])                  (paper 000, section 3.2)
 *   done[t]     for how many bounds the state after a step of t is exhausted
 *   exhausted   the same for the state itself: at bound c < exhausted everything that is
 *               reachable from it by steps with CB <= c has been run (255: everything)
 *
 *   exhausted(s) = min over enabled t of max(CB(s, t), done[t])
 *
 * This is paper 000's table H for all bounds at once: s is in H at bound c iff exhausted(s) >
 * c. So one `Mark` (cbpor_spread) serves every bound, nothing that was run is run again at the
 * next bound, and exhausted(initial state) = 255 is the proof that nothing is left at any
 * bound.
 *
 * Memory: 16 bytes of fingerprint + 4 + 2 per thread, rounded up: 24 bytes for 2 threads, 32
 * for up to 6, 48 for up to 14, in a table that is 3/8 to 3/4 full. One such entry is kept for
 * every prefix of a trace that was run, as long as other traces with that prefix are still to
 * come, and 24 bytes for every answer about a thread that may block. */
#ifndef MAZUR_EXPLORE_CBPOR_GRAPH_H
#define MAZUR_EXPLORE_CBPOR_GRAPH_H

#include "explore/cbpor/cbpor_trace.h"

#define CBPOR_NEVER     255 /* as a number of preemptions: impossible; of bounds: all of them */
#define CBPOR_HIGHEST   253 /* the largest bound that can be distinguished from larger ones */
#define CBPOR_SPARING   1000  /* traces with this many states use the horizon */
#define CBPOR_MANY_CUTS 10000 /* traces with this many prefixes use private objects */
#define CBPOR_ENDED                                                                            \
    (1u << 16) /* traces that are known again once their states are forgotten                  \
                */

struct cbpor_lane {
    uint8_t arrive;
    uint8_t done;
};

struct cbpor_state {
    uint8_t leave;
    uint8_t exhausted;
    uint8_t visited; /* the program was in it (Algorithm 1) */
    uint8_t reserved;
    struct cbpor_lane lane[]; /* by thread */
};

struct cbpor_graph {
    struct pool *pool;
    struct table states;
    struct table choices; /* of (state, thread, values so far) */
    struct cbpor_seen seen;
    uint32_t lanes;
    uint64_t work; /* on the current trace */
    /* Context bounds above it all count as horizon + 1, and prefixes that clearly have such a
     * bound are not kept. It is CBPOR_HIGHEST until a trace has `sparing` states. */
    int horizon;
    uint32_t sparing;      /* a trace with this many states lowers the horizon */
    uint32_t added;        /* states of the current trace */
    uint64_t added_in_all; /* of the traces before it */
    uint32_t most;         /* the most states of one trace; 0: no limit */
    uint32_t thin_at;      /* with this many states in total it pays to drop exhausted ones */
    uint32_t thin_from;    /* but not below this number; 0: always */
    struct hash128 *ended; /* traces that were run last, by a few bits of their fingerprint */
    bool every_state;      /* Algorithm 1: states count, not only terminal ones */
    const struct cbpor_leaf *leaf; /* steps that it excludes count as exhausted; NULL: none */
    VECTOR(struct cbpor_visit) stack;
    VECTOR(uint8_t) arrive; /* per visit of the stack: one byte per thread */
    /* Prefixes of the current trace that would be exhausted for more bounds if a thread were
     * known to be disabled: the thread, then the last event of each thread. */
    VECTOR(uint32_t) doubts;
};

struct cbpor_visit {
    int tid;        /* thread whose block was removed to get here */
    uint32_t event; /* last event of the block */
    int next;       /* thread to look at */
    uint8_t exhausted;
};

void cbpor_graph_init(struct cbpor_graph *graph, struct pool *pool);
/* Frees the memory. */
void cbpor_graph_destroy(struct cbpor_graph *graph);
/* Forgets all states. */
void cbpor_graph_clear(struct cbpor_graph *graph);
/* If there are many states, forgets those that are exhausted for all bounds: every trace that
 * they are a prefix of has been run, so they occur in no later trace, and no remaining step
 * leads to them. Must be called after a trace has been run and before its bounds are computed:
 * then none of its prefixes is forgotten. */
void cbpor_graph_thin(struct cbpor_graph *graph);
/* Makes room for this many threads. */
void cbpor_graph_widen(struct cbpor_graph *graph, uint32_t threads);
/* NULL: unknown. Valid until the next state is added. */
struct cbpor_state *cbpor_graph_get(const struct cbpor_graph *graph, struct hash128 key);
/* CB(s, t) */
static inline uint8_t cbpor_cost(const struct cbpor_state *state, int tid)
{
    uint8_t arrive = state->lane[tid].arrive;
    return arrive < state->leave ? arrive : state->leave;
}

enum cbpor_result {
    CBPOR_COMPUTED,
    CBPOR_ASKS,      /* the cut is left at a prefix in which it must be known whether *tid can
                      * continue */
    CBPOR_TOO_LARGE, /* the trace has too many prefixes, or there are too many states by now */
};

/* Computes the context bounds of a cut and of all its prefixes; if there are many, only of
 * those up to `bound`. `after`: the cost of leaving the cut, -1: computes it, too. It is 0
 * where the program has ended, and CBPOR_NEVER where the trace has left the leaf: a longer
 * trace that leaves it by the same event may have the cut as a prefix, but is never run through
 * it. */
enum cbpor_result cbpor_compute(struct cbpor_graph *graph, struct cbpor_cut *cut, int after,
                                int bound, int *tid);
/* The leaf has just looked at the cut: marks the steps from it that the leaf excludes. */
void cbpor_exclude(struct cbpor_graph *graph, const struct cbpor_cut *cut);
/* Raises `exhausted` of the cut according to its successors, then updates its prefixes (`Mark`
 * of Algorithm 2). `enabled` is given if the cut was visited, else NULL. */
void cbpor_raise(struct cbpor_graph *graph, struct cbpor_cut *cut, const threadset *enabled);
/* A terminal state has been run. False: it is known to have been run before. */
bool cbpor_raise_terminal(struct cbpor_graph *graph, struct cbpor_cut *cut);
/* Goes through the doubts about prefixes of this trace with CB <= within, and raises those that
 * have been decided. True: it is unknown whether *tid is enabled in the cut. */
bool cbpor_doubt(struct cbpor_graph *graph, struct cbpor_cut *cut, int within, int *tid);
/* The first data choice for a step of `tid`, after the `n` choices given, that leads to states
 * not exhausted at the bound. */
uint32_t cbpor_choose(const struct cbpor_graph *graph, struct hash128 state, int tid,
                      const struct cbpor_choice *before, uint32_t nbefore, uint32_t n,
                      int bound);

/* Lists the events of the cut in an order with as few preemptions as possible, last one first.
 * The last one is of thread `last`, which must be in the frontier. The cut ends up empty. */
struct cbpor_order {
    VECTOR(uint32_t) events;
};
void cbpor_linearise(struct cbpor_graph *graph, struct cbpor_cut *cut, int last,
                     struct cbpor_order *order);
/* The thread to be last with as few preemptions as possible; -1: the cut is empty. */
int cbpor_last_of(const struct cbpor_graph *graph, const struct cbpor_cut *cut);
/* The thread to be last so that a step of `tid` costs CB(s, tid); -1: the cut is empty. */
int cbpor_last_before(const struct cbpor_graph *graph, const struct cbpor_cut *cut, int tid);

#endif
