/* Running a model along a given path, one plain step at a time.
 *
 * A counter-example is only believed when it can be followed: reports, replays and Spin trails
 * are all made from such a run, in the plain semantics (--optimize off), where every step is
 * one statement. Steps that the optimised search ran together are taken apart again.
 *
 * Invariant: `now` is a reachable state, and `holder` the process inside an atomic sequence
 * there, or NO_PARTNER. */
#ifndef MAZUR_PROMELA_FOLLOW_H
#define MAZUR_PROMELA_FOLLOW_H

#include "promela/verifier/verifier.h"

#define PRINTS_MOST  64   /* texts that one step prints */
#define PRINTS_ALL   1024 /* … that all steps from one state do */
#define PRINT_VALUES 16
#define PRINT_TEXT   200

/* What a printf prints, the message of a rendezvous (the transition is its receive), or what a
 * c_code tells uerror(). */
struct model_print {
    const uint8_t *vector; /* of the successor that the step leads to */
    uint32_t transition, count;
    uint32_t channel;      /* of the message, from 0 */
    char text[PRINT_TEXT]; /* of uerror() */
    int value[PRINT_VALUES];
};

struct follow {
    struct verifier *verifier;
    struct expander expander;
    uint8_t *now, *next; /* two buffers that change places */
    const struct shape *shape, *next_shape;
    uint32_t holder;
    struct model_print print[PRINTS_ALL]; /* of all steps from here */
    uint32_t prints;
};

/* What one step did; vectors are valid until the next one. */
struct followed {
    struct trail_step step;
    const uint8_t *before, *after;
    const struct shape *before_shape, *after_shape;
    uint32_t choice;       /* number of the step among those of its process */
    uint32_t claim_choice; /* the same for the claim's move; NO_PARTNER: none */
    uint32_t fault, fault_transition;
    struct model_print print[PRINTS_MOST]; /* what it printed */
    uint32_t prints;
    bool first_of_atomic, stutters;
};

bool follow_init(struct follow *f, struct verifier *verifier);
void follow_free(struct follow *f);
/* The steps that can be taken here, in expander.step.list; how many. */
uint32_t follow_expand_here(struct follow *f);
/* One step of the model as `step` names it; false if it can't be taken here. */
bool follow_step(struct follow *f, struct trail_step step, struct followed *done);
/* The same, named by its number among the steps of a process (NO_PARTNER: a stutter). */
bool follow_choice(struct follow *f, uint32_t pid, uint32_t choice, uint32_t claim_choice,
                   struct followed *done);
/* Has process pid a step here that leads to another state? */
bool follow_could_move(struct follow *f, uint32_t pid);
/* Nothing moves here, and not every process may stop; or a fault outside any step. */
bool follow_stuck(struct follow *f);
uint32_t follow_fault(struct follow *f, uint32_t *transition);
/* The claim's moves here if it were in that state, in expander.step, and a failing assertion of
 * it; how many. */
uint32_t follow_claim_moves(struct follow *f, uint32_t state);
/* The parts of the formula that hold here, a bit for each; 0 without a formula. */
uint64_t follow_parts(struct follow *f);
/* The claim is in an accepting state here; a process is, and that counts. */
bool follow_claim_accepts(const struct follow *f);
bool follow_process_accepts(const struct follow *f);
bool follow_claim_ended(const struct follow *f);

/* The trail of an optimised search, statement by statement. `plain` is overwritten. */
void follow_expand(const struct verifier *found, const struct trail *trail,
                   struct trail *plain);

#endif
