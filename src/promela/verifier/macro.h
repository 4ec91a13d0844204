/* Macro steps: from one stored state to the next, atomic sequences taken as a whole.
 *
 * This is what the level search and the reconstruction of counter-examples work with. The
 * processes of the first step decide whether it was a preemption; those of the last step may
 * continue for free (after a rendezvous: either of the two). */
#ifndef MAZUR_PROMELA_MACRO_H
#define MAZUR_PROMELA_MACRO_H

#include "promela/store/atomic_seen.h"
#include "promela/verifier/pace.h"
#include "promela/verifier/verifier.h"

struct macro {
    const uint8_t *vector;
    const struct shape *shape;
    uint32_t first_pid, first_partner; /* of the first step; NO_PARTNER: none */
    uint32_t last_pid, last_partner;   /* of the last step */
    uint32_t fault, fault_transition;  /* FAULT_NONE, or what went wrong in the last step */
    const struct trail_step *path;
    uint32_t length;
};

/* Why a sequence was cut because of its length. Its process then looks as if it were blocked.
 */
#define MACRO_TOO_LONG "limit of atomic sequences"
/* … ends the search, but not before so many states: a small one still covers the rest. */
#define MACRO_CUT_STATES 1024u

/* Called for each macro step, and for each fault on the way (with fault set: not a state to
 * go on from unless `vector` is also reported without a fault later). */
typedef void macro_emit(void *context, const struct macro *macro);

struct macro_expander {
    struct expander expander;
    struct trail_step *path;
    uint32_t path_room;
    const char *cut_by; /* why an atomic sequence was cut, NULL: none was */
    bool over;          /* … because the search has to end */
    bool unhurried;     /* the time may be up: only an interrupt ends it */
    uint64_t steps;     /* inside atomic sequences */
    uint64_t begun;     /* … when the present one began */
    struct pace pace;   /* of looks at the clock */
    uint32_t depth;     /* choices on the path */
    struct atomic_seen seen;
    bool ends_at_faults; /* what follows a fault does not matter: an execution ends there */
    macro_emit *emit;
    void *context;
};

/* Does a cut sequence end the search, after so many states? If not, the search reports at its
 * end that it is incomplete. */
static inline bool macro_ends_search(const struct macro_expander *m, uint64_t states)
{
    return m->cut_by && (m->over || states >= MACRO_CUT_STATES);
}

bool macro_init(struct macro_expander *m, struct verifier *verifier);
void macro_free(struct macro_expander *m);
/* Generates all macro steps of a state; returns the number of first steps. */
uint32_t macro_expand(struct macro_expander *m, const uint8_t *now, const struct shape *shape);
/* The same without those of process `skipped` (NO_PARTNER: none); they count as well. */
uint32_t macro_expand_others(struct macro_expander *m, const uint8_t *now,
                             const struct shape *shape, uint32_t skipped);
/* Those of one process only, without rendezvous that others offer to it. */
uint32_t macro_expand_alone(struct macro_expander *m, const uint8_t *now,
                            const struct shape *shape, uint32_t pid);

#endif
