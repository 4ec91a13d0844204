/* What the level search knows about each stored state: its preemption count, which processes
 * it was met by at that count, and by which it will be met at the next.
 *
 * This is the "vector of pid numbers" of paper 001, section 2, kept for every state (Spin
 * records process 0 always, so that its case 2b-iv-B never happens). One bit per process;
 * more than 64 processes switch all rows to four words. */
#ifndef MAZUR_PROMELA_LABELS_H
#define MAZUR_PROMELA_LABELS_H

#include "promela/store.h"

#define VECTOR_BYTES ((1u << 20) + 64) /* room for any vector, or its references */

enum label_result { LABEL_DOMINATED, LABEL_NEW_STATE, LABEL_NEW_PROCESS };

/* One row: count, seed level, flags; then the two sets. */
struct label_row {
    u32 count; /* 0: not met, else preemptions + 1 */
    u32 seed;  /* level + 1 that the seed set is for */
    u32 expanded, expanded_free;
};

struct labels {
    u8 *rows[STORE_CLASSES];
    u32 room[STORE_CLASSES];
    u32 words; /* per set: 1 or 4 */
    bool failed;
};

/* Make sure that the row exists. */
void labels_room(struct labels *labels, u32 height, u32 index);
/* The state is met by a process with that count. */
enum label_result labels_visit(struct labels *labels, u32 height, u32 index, u32 pid,
                               u32 count);
/* It will be met so at the next level; false if that is known or pointless. */
bool labels_seed(struct labels *labels, u32 height, u32 index, u32 pid, u32 count);
/* True the first time it is asked about a state. */
bool labels_first(struct labels *labels, u32 height, u32 index);
/* True the first time a state is expanded with all steps free. */
bool labels_free(struct labels *labels, u32 height, u32 index);
size_t labels_bytes(const struct labels *labels);
void labels_free_all(struct labels *labels);

#endif
