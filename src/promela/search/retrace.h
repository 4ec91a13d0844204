/* From a chain of stored states to the steps between them: a search keeps only the numbers of
 * states, and finds the steps again when a failure is shown. */
#ifndef MAZUR_PROMELA_RETRACE_H
#define MAZUR_PROMELA_RETRACE_H

#include "promela/verifier/macro.h"

#define VECTOR_BYTES ((1u << 20) + 64) /* room for any vector */

/* What fails at the end of the chain. */
struct failure {
    enum violation violation;
    uint32_t fault, fault_transition; /* unless the state itself is the failure */
    uint32_t pid; /* the process that makes the failing step; NO_PARTNER: any */
};

/* The failure that a faulty step is. */
struct failure failure_of_fault(uint32_t fault, uint32_t transition);
/* Nothing moves, and not every process may stop. */
struct failure failure_of_end(void);

/* The states of a path, from the initial one on. */
struct path {
    uint32_t count;
    /* Writes the vector of state i and returns its shape; called once for each state, in order.
     */
    const struct shape *(*state)(void *context, uint32_t i, uint8_t *vector);
    /* The process that arrived there; NO_PARTNER: any. */
    uint32_t (*mover)(void *context, uint32_t i);
    void *context;
};

/* Numbers of stored states with who arrived there, as a path. */
struct chain {
    const struct verifier *verifier;
    const struct store *store;
    uint32_t *states, *movers;
    uint32_t count, room;
    uint64_t *key;
};

bool chain_add(struct chain *chain, uint32_t state, uint32_t mover);
void chain_reverse(struct chain *chain);
void chain_free(struct chain *chain);
struct path chain_path(struct chain *chain);

/* The vector of a stored state, and its shape. */
const struct shape *stored_state(const struct verifier *verifier, const struct store *store,
                                 uint32_t number, uint8_t *vector, uint64_t *key);
/* Fills in verifier->trail, even if the time is up; an interrupt leaves no failure in it.
 * False: no memory. */
bool retrace(struct verifier *verifier, struct macro_expander *macro, const struct path *path,
             const struct failure *failure);

#endif
