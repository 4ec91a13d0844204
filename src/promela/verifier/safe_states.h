/* Partial-order reduction: which control states are safe to run alone.
 *
 * The ample set of a state is all enabled steps of one process whose every step there is
 * independent of what any other process can do: it touches only unshared locals, or a channel
 * that nobody else receives from (sends to) and nobody looks into, while that channel is not
 * empty (not full). Exclusive use is derived from the model, or from the state
 * (channel_users.h), not from xr and xs, which may be wrong. Some steps are never taken alone:
 * those that begin an atomic sequence, that end a process where others may be created and
 * process numbers matter, or that enter or leave a state that a label makes visible to a claim
 * or a search for cycles.
 *
 * The search itself enforces the cycle proviso. */
#ifndef MAZUR_PROMELA_POR_H
#define MAZUR_PROMELA_POR_H

#include "promela/verifier/channel_users.h"
#include "promela/verifier/verifier.h"

#define POR_CONDITIONS 4

enum por_question {
    POR_LENGTH, /* a channel whose exclusive use is known from the model: not empty, not full */
    POR_CHANNEL, /* … nor does another process use it, as the processes are now */
    POR_NO_RUN,  /* no other process may start one */
};

struct por_condition {
    enum por_question question;
    uint32_t offset;          /* POR_LENGTH: of the channel in the vector */
    uint32_t capacity;        /* … 0: must not be empty; else: must hold fewer */
    struct channel_name name; /* POR_CHANNEL */
    bool send;                /* … */
};

struct por_state {
    bool safe;
    int count;
    struct por_condition condition[POR_CONDITIONS];
};

/* Fills in verifier->por, or leaves it NULL if the model rules out reduction; and por_if_few,
 * if more is safe as long as a run never starts more processes than may live at once. */
void por_analyse(struct verifier *verifier);
/* May process pid be expanded alone in this state? */
bool por_safe(const struct verifier *verifier, const uint8_t *now, const struct shape *shape,
              uint32_t pid);
/* Can a safe step of another process have enabled this step? Safe steps are taken early, so a
 * process may be able to continue although it is blocked in the order that they stand for. Then
 * leaving it is free, whatever it can do now: a search that counts preemptions treats it as
 * blocked if it has only steps of this kind. (Theorem 2 of paper 001 needs safe steps that
 * enable no other process, but Spin's do: its proof swaps steps as if that did not change
 * costs.) */
bool por_enables(const struct verifier *verifier, uint32_t transition);

#endif
