/* The simplest lasso: a path to a state, and a forbidden cycle from there back to it, with the
 * fewest preemptions, then the fewest switches, then the fewest steps. Shared by the files that
 * look for it:
 *
 *   lasso_graph.c    the product (product.h) as far as it is needed, in order of cost
 *   lasso_parts.c    the strongly connected parts of it that have a forbidden cycle
 *   search_lasso.c   the cheapest way round, from every state where that may pay
 *
 * The costs are those of the path, of one round of the cycle, and of the switch that begins the
 * next round. So an infinite run with N preemptions in all (what a bound counts) is a lasso
 * with N, and a run that is preempted in every round counts one round.
 *
 * A node is (state, process that moved last). Costs of a step are those of search_fewest.c; a
 * step in which only the claim moves is one step and nobody's.
 *
 * Invariant: every node that is `done` costs no more than any that is not. A lasso costs at
 * least as much as its most expensive node, so every lasso cheaper than the remaining nodes
 * lies among those that are done. */
#ifndef MAZUR_PROMELA_LASSO_H
#define MAZUR_PROMELA_LASSO_H

#include "promela/search/product.h"
#include "promela/store/store.h"
#include "promela/verifier/pace.h"

#define LASSO_NOBODY  0xffu /* nobody has moved; and no partner */
#define LASSO_NOWHERE 0xffffffffu
#define LASSO_DEAREST 0xffffffffffffffffu
#define LASSO_ACCEPT  ((uint64_t)1 << 63) /* of a set of what has been met on a cycle */
#define LASSO_PIDS    63u                 /* … whose other bits are processes */

/* preemptions, switches, length: 16, 24 and 24 bits */
typedef uint64_t lasso_key;

enum lasso_flag {
    LASSO_FAULT = 1,
    LASSO_ELSEWHERE = 2, /* the system has another state then */
    LASSO_ALONE = 4,     /* only the claim moves */
    LASSO_ENDS = 8,      /* … to its end */
};

/* Successor number i of a state, as product_generate() makes them. */
struct lasso_edge {
    uint32_t target; /* state */
    uint16_t length;
    uint8_t pid, partner, last_pid, last_partner; /* LASSO_NOBODY: none */
    uint8_t flags;
};

struct lasso_state {
    uint32_t first, count; /* edges; not expanded: LASSO_NOWHERE */
    uint32_t nodes;        /* the first of a list */
    bool accepting;
    uint64_t
        met; /* what passing here satisfies: an accepting state, processes that are blocked */
};

struct lasso_node {
    lasso_key key;
    uint32_t state, next;  /* in the list of its state */
    uint32_t parent, edge; /* node, and number of the edge from there */
    uint8_t mover;
    bool done;
    bool good; /* in a part with a forbidden cycle */
};

/* Of a heap: a node, or what else is waiting for its turn. */
struct lasso_entry {
    lasso_key key;
    uint32_t item;
};

/* Steps that were taken: states and numbers of edges. */
struct lasso_path {
    uint32_t *state, *edge;
    uint32_t count, room;
};

struct lasso {
    struct verifier *verifier;
    struct product product;
    struct product_arena arena;
    struct crew crew;
    struct store *store;
    struct store_writer *writer;
    uint8_t *vector;
    uint64_t *key, *new_key;
    int bound;        /* nodes that need more are left out; -1: none */
    bool free_cycles; /* cycles with a preemption do not count: that is what a bound means */
    bool fair;
    struct growing states, edges, nodes, heap;
    uint32_t done;
    uint64_t looked; /* nodes, for the pace */
    struct pace pace;
    bool stop;
    /* the cheapest failure so far */
    lasso_key best;
    enum violation violation;
    uint32_t best_node, best_edge; /* a finite one: its last step; else the end of the path */
    struct lasso_path cycle;
    size_t beside; /* bytes of what the search for cycles keeps */
};

void lasso_halt(struct lasso *lasso, const char *why);
/* Room for `more` elements; NULL: no memory, the search is halted. */
void *lasso_grow(struct lasso *lasso, struct growing *list, size_t element, uint32_t more);
/* Has the search run out of time or memory? Called from time to time. */
bool lasso_is_over(struct lasso *lasso);

/* A heap: the entry with the smallest key comes first. */
void lasso_push(struct lasso *lasso, struct growing *heap, lasso_key key, uint32_t item);

/* lasso_graph.c */
bool lasso_graph_init(struct lasso *lasso, struct verifier *verifier);
void lasso_graph_free(struct lasso *lasso);
void lasso_start(struct lasso *lasso);
/* Continues until so many nodes are done, or nothing cheaper than the best is left. */
void lasso_explore(struct lasso *lasso, uint32_t nodes);
/* Is there nothing left that could be cheaper? */
bool lasso_explored(const struct lasso *lasso);
/* What a step costs from that node, without its length; *preempts if that is a preemption. */
lasso_key lasso_switch(const struct lasso *lasso, uint32_t state, uint8_t mover,
                       const struct lasso_edge *edge, bool *preempts);
/* The node, or LASSO_NOWHERE: it is not done. */
uint32_t lasso_find(const struct lasso *lasso, uint32_t state, uint8_t mover);

/* lasso_parts.c: sets `good` in every node that is done. */
void lasso_find_parts(struct lasso *lasso);

static inline struct lasso_state *lasso_state_at(const struct lasso *l, uint32_t i)
{
    return &((struct lasso_state *)l->states.data)[i];
}

static inline struct lasso_edge *lasso_edge_at(const struct lasso *l, uint32_t i)
{
    return &((struct lasso_edge *)l->edges.data)[i];
}

static inline struct lasso_node *lasso_node_at(const struct lasso *l, uint32_t i)
{
    return &((struct lasso_node *)l->nodes.data)[i];
}

static inline uint32_t lasso_preemptions(lasso_key key)
{
    return (uint32_t)(key >> 48);
}

static inline uint32_t lasso_switches(lasso_key key)
{
    return (uint32_t)(key >> 24 & 0xffffff);
}

/* The sum of two costs; a part that would overflow stays at its maximum. */
static inline lasso_key lasso_add(lasso_key a, lasso_key b)
{
    uint64_t most = 0xffffff;
    uint64_t preemptions = (a >> 48) + (b >> 48), length = (a & most) + (b & most);
    uint64_t switches = (a >> 24 & most) + (b >> 24 & most);
    return (preemptions < 0xffff ? preemptions : 0xffff) << 48 |
           (switches < most ? switches : most) << 24 | (length < most ? length : most);
}

/* Where a step leads: one node, or two after a rendezvous. */
static inline uint32_t lasso_movers(const struct lasso_edge *e, uint8_t mover,
                                    uint8_t movers[2])
{
    if (e->flags & LASSO_ALONE) {
        movers[0] = mover;
        return 1;
    }
    movers[0] = e->last_pid;
    movers[1] = e->last_partner;
    return e->last_partner != LASSO_NOBODY ? 2 : 1;
}

/* What taking a step satisfies. */
static inline uint64_t lasso_moved(const struct lasso_edge *e)
{
    uint64_t set = 0;
    if (e->pid < LASSO_PIDS)
        set |= (uint64_t)1 << e->pid;
    if (e->partner < LASSO_PIDS)
        set |= (uint64_t)1 << e->partner;
    return set;
}

#endif
