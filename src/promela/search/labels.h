/* What a search by bounds knows about each state, in the store's extra bytes: its preemption
 * count, the processes that reached it with that count, and flags.
 *
 * This is the "vector of pid numbers" of paper 001, section 2, kept for every state (Spin
 * records process 0 always, so that its case 2b-iv-B never happens), with room for 16
 * processes; a search that needs more is restarted with room for 256. All fields are atomic.
 * Levels are searched one after the other, so counts that meet are always equal. */
#ifndef MAZUR_PROMELA_LABELS_H
#define MAZUR_PROMELA_LABELS_H

#include "promela/store/store.h"

#define LABEL_FEW        16u
#define LABEL_MANY       256u
#define LABEL_HIGHEST    65000u /* preemptions that can be counted */
#define LABEL_SIZE(pids) (4u + (pids) / 8u)

enum label_result { LABEL_DOMINATED, LABEL_NEW_STATE, LABEL_NEW_PROCESS };

struct state_label {
    _Atomic uint16_t count; /* 0: not met, else preemptions + 1 */
    atomic_uchar flags;
    uint8_t unused;
    _Atomic uint16_t met[]; /* one bit per process */
};

/* The state is reached with that count. */
static inline enum label_result label_meet(struct state_label *label, uint32_t count)
{
    uint16_t none = 0;
    if (atomic_compare_exchange_strong(&label->count, &none, (uint16_t)(count + 1)))
        return LABEL_NEW_STATE;
    return none - 1u < count ? LABEL_DOMINATED : LABEL_NEW_PROCESS;
}

/* Note the process; true if it was noted before. */
static inline bool label_note(struct state_label *label, uint32_t pid)
{
    uint16_t bit = (uint16_t)(1u << (pid & 15));
    return (atomic_fetch_or(&label->met[pid >> 4], bit) & bit) != 0;
}

static inline bool label_noted(struct state_label *label, uint32_t pid)
{
    return pid < LABEL_MANY && (atomic_load(&label->met[pid >> 4]) >> (pid & 15) & 1);
}

#endif
