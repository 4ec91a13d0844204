/* What a search by bounds knows about each state, in the store's extra bytes: its preemption
 * count, by which processes it was met at that count, and flags.
 *
 * This is the "vector of pid numbers" of paper 001, section 2, kept for every state (Spin
 * records process 0 always, so that its case 2b-iv-B never happens), with room for 16
 * processes; a model that has more starts its search anew with room for 256. All fields are
 * atomic: levels are searched one after the other, so that only equal counts ever meet. */
#ifndef MAZUR_PROMELA_LABELS_H
#define MAZUR_PROMELA_LABELS_H

#include "promela/store/store.h"

#define LABEL_FEW        16u
#define LABEL_MANY       256u
#define LABEL_HIGHEST    65000u /* preemptions that can be counted */
#define LABEL_SIZE(pids) (4u + (pids) / 8u)

enum label_result { LABEL_DOMINATED, LABEL_NEW_STATE, LABEL_NEW_PROCESS };

struct tally {
    _Atomic uint16_t count; /* 0: not met, else preemptions + 1 */
    atomic_uchar flags;
    uint8_t unused;
    _Atomic uint16_t met[]; /* one bit per process */
};

/* Mutants of this file and of the searches, for the tests that must catch them: compiled with
 * MAZUR_MUTANT=N they do what the name says. */
#define MUTANT_NO_PID_VECTOR 1 /* one process per state is remembered */
#define MUTANT_NO_REVISIT    2 /* a state is expanded once, whoever meets it */
#define MUTANT_UNSAFE        3 /* that a state was met by a safe step is forgotten */
#define MUTANT_COUNT_FALLS   4 /* a cycle may be closed by a step that was counted */
#define MUTANT_UNFAIR        5 /* the counter of fairness does not wait for the last process */
#define MUTANT_FORGETS       6 /* what a folded frame has still to try is forgotten */
#define MUTANT_NO_NEXT_ROUND 7 /* a lasso: the switch to the next round is not counted */
#define MUTANT_FIRST_ROUND   8 /* a lasso: the first one round which a cycle is found will do */
#define MUTANT_ONE_MOVER     9 /* fewest: a state met with more preemptions is known */
#ifndef MAZUR_MUTANT
#define MAZUR_MUTANT 0
#endif

/* The state is met with that count. */
static inline enum label_result label_meet(struct tally *label, uint32_t count)
{
    uint16_t none = 0;
    if (atomic_compare_exchange_strong(&label->count, &none, (uint16_t)(count + 1)))
        return LABEL_NEW_STATE;
    return none - 1u < count ? LABEL_DOMINATED : LABEL_NEW_PROCESS;
}

/* Note the process; true if it was noted before. */
static inline bool label_note(struct tally *label, uint32_t pid)
{
    uint16_t bit = (uint16_t)(1u << (pid & 15));
    if (MAZUR_MUTANT == MUTANT_NO_PID_VECTOR && atomic_load(&label->met[pid >> 4]) != 0)
        bit = atomic_load(&label->met[pid >> 4]);
    return (atomic_fetch_or(&label->met[pid >> 4], bit) & bit) != 0;
}

static inline bool label_noted(struct tally *label, uint32_t pid)
{
    return pid < LABEL_MANY && (atomic_load(&label->met[pid >> 4]) >> (pid & 15) & 1);
}

#endif
