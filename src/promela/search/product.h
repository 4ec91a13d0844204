/* The product in which claims and cycles are searched: a state is (system state, claim state)
 * in one vector. From each, the claim reads the system state and moves; then the system makes
 * one macro step, or stutters if it has none (Spin's semantics).
 *
 * Weak fairness uses the counter construction: there are copies of each state, numbered 0, 1,
 * 2, …; from an accepting state on, copy i + 1 waits until process i has moved or been blocked;
 * a cycle through all copies is fair. The number of the copy is not part of the vector, so a
 * search can keep a few bits per copy.
 *
 * A bound on preemptions (levels.h) is part of the product, too: the vector holds the process
 * that moved last and the count, and steps beyond the bound are left out. With reduction the
 * count is never too high (paper 001, Theorem 2). A search that does its own counting
 * (search_lasso.c) asks for neither fairness nor a bound: those fields stay zero then, and
 * there is one copy.
 *
 * Invariant: the successors of a state are always generated in the same order, so a search may
 * keep the number of one and generate them again. */
#ifndef MAZUR_PROMELA_PRODUCT_H
#define MAZUR_PROMELA_PRODUCT_H

#include <string.h>

#include "promela/store/growing.h"
#include "promela/verifier/macro.h"

#define PRODUCT_NOBODY 0xffffu /* who moved last in the initial state */

struct product_step {
    uint32_t at;   /* of its vector in the pool, in units of 8 bytes */
    uint32_t path; /* first trail step */
    uint32_t length;
    uint32_t fault, fault_transition;
    uint32_t pid, partner; /* of its first step; NO_PARTNER: a stutter */
    uint32_t last_pid, last_partner;
    uint32_t claim; /* the claim's transition before it */
    uint32_t copy;
    uint32_t key, number; /* for the search */
    uint64_t hash;        /* for the search */
    const struct shape *shape;
    bool elsewhere; /* the system has another state then; always so for a fault */
    bool alone;     /* the claim moves, the system does not */
};

/* Where successors are stored, one after the other. */
struct product_arena {
    struct growing steps, paths;
    uint8_t *pool; /* vectors; never moves */
    size_t pool_size;
    uint32_t pool_at;
};

struct product {
    struct verifier *verifier;
    struct macro_expander macro;
    struct product_arena *to;
    const uint32_t *part; /* of each state of the claim, see claim_parts.h; or NULL */
    bool fair;            /* there are copies */
    bool compares;        /* steps know whether they lead elsewhere */
    bool labels;          /* some state of a process accepts */
    bool reduces;         /* the steps of one process may stand for all */
    int bound;            /* preemptions are counted up to this one; -1: they are not */
    bool pruned;
    bool failed; /* no memory: the last successors are incomplete */
    /* of the state whose successors were generated last */
    uint64_t enabled[4];
    bool reduced; /* the steps of one process stand for all */
};

bool product_init(struct product *product, struct verifier *verifier, int bound, bool fair);
void product_free(struct product *product);
bool product_arena_init(struct product_arena *arena);
void product_arena_free(struct product_arena *arena);
size_t product_arena_bytes(const struct product_arena *arena);

/* The initial state, written to product->to; its shape. */
const struct shape *product_start(struct product *product);
/* Appends the successors of a copy of a state to product->to: all of them, or those of one
 * process if they may stand for the rest. The vector must not lie in the part of the pool that
 * is overwritten. */
void product_generate(struct product *product, const uint8_t *vector, const struct shape *shape,
                      uint32_t copy, bool all);
bool product_accepts(const struct product *product, const uint8_t *vector,
                     const struct shape *shape, uint32_t copy);
/* Copies of such a state. */
static inline uint32_t product_copies(const struct product *product, const struct shape *shape)
{
    return product->fair ? shape->processes + 2 : 1;
}

/* The claim has come to its end. */
bool product_claim_ended(const struct product *product, const uint8_t *vector);
/* Write a step to a trail. */
void product_trail_add(const struct product_arena *from, const struct product_step *step,
                       struct trail *trail);
/* What a cycle violates. */
enum violation product_cycle_kind(const struct product *product);

static inline uint32_t product_field(const uint8_t *vector, int offset)
{
    uint16_t value = 0;
    if (offset >= 0)
        memcpy(&value, vector + offset, 2);
    return value;
}

static inline struct product_step *product_step_at(const struct product_arena *arena,
                                                   uint32_t i)
{
    return &((struct product_step *)arena->steps.data)[i];
}

static inline uint8_t *product_vector(const struct product_arena *arena, uint32_t at)
{
    return arena->pool + (size_t)at * 8;
}

#endif
