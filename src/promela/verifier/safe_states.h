/* Partial-order reduction: which control states are safe to run alone.
 *
 * The ample set of a state is all enabled steps of one process whose every step there is
 * independent of what any other process can do: it touches only unshared locals, or a channel
 * that nobody else receives from (sends to) and nobody looks into, while that channel is not
 * empty (not full). Exclusive use is found in the model, not taken from xr and xs, which may be
 * wrong. Steps that begin an atomic sequence, that end a process where others are created, or
 * that enter or leave a state which a label makes visible are never alone.
 *
 * The cycle proviso is the search's business. */
#ifndef MAZUR_PROMELA_POR_H
#define MAZUR_PROMELA_POR_H

#include "promela/verifier/verifier.h"

#define POR_CONDITIONS 4

struct por_condition {
    uint32_t offset;   /* of the channel in the vector */
    uint32_t capacity; /* 0: must not be empty; else: must hold fewer */
};

struct por_state {
    bool safe;
    int count;
    struct por_condition condition[POR_CONDITIONS];
};

/* Fill in verifier->por, or leave it NULL where the model rules reduction out. */
void por_analyse(struct verifier *verifier);
/* May process pid be expanded alone in this state? */
bool por_safe(const struct verifier *verifier, const uint8_t *now, const struct shape *shape,
              uint32_t pid);

#endif
