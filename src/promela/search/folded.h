/* The far end of a deep depth-first stack, as choices: which of its successors each state on it
 * is trying.
 *
 * A depth-first search of a large model has most of its states on the stack at once, so the
 * stack, not the table of hashes, decides how far the memory goes. But a search only works at
 * the top of it. What lies deep below is kept as one number per state, a byte or two, and for
 * each segment of states (FOLDED_FRAMES, or fewer) the first one in full: from there the others
 * can be expanded again when the search comes back, in the same order as the first time.
 *
 *      bytes    | head | vector | choice | choice | … || head | vector | choice | …
 *
 * Invariant: all segments have as many choices; only the last one is ever taken off. */
#ifndef MAZUR_PROMELA_FOLDED_H
#define MAZUR_PROMELA_FOLDED_H

#include <stdbool.h>
#include <stddef.h>

#include "promela/code/step.h"

#ifndef FOLDED_FRAMES /* a test folds stacks that are not deep */
#define FOLDED_FRAMES 1024u
#endif

/* The first state of a segment; its vector follows. */
struct folded_head {
    size_t before; /* where the segment before this one starts */
    uint32_t mover, count;
    uint32_t size; /* of the vector, in bytes */
};

struct folded {
    uint8_t *bytes;
    size_t used, room;
    size_t last; /* where the last segment starts */
};

/* Room for a segment of so many choices with a vector of that size; false: there is no memory.
 * Nothing that follows fails. */
bool folded_reserve(struct folded *folded, size_t size, uint32_t choices);
void folded_begin(struct folded *folded, struct folded_head head, const uint8_t *vector);
void folded_choice(struct folded *folded, uint32_t choice);
/* The head at `at`, which moves on to the choices; the vector is copied unless NULL. */
struct folded_head folded_read_head(const struct folded *folded, size_t *at, uint8_t *vector);
uint32_t folded_read_choice(const struct folded *folded, size_t *at);
/* A segment, its head and all, goes to `at`, where there is room for it. */
void folded_put(struct folded *folded, size_t at, size_t before, const uint8_t *segment,
                size_t size);
/* The last segment, which was read, goes. */
void folded_drop(struct folded *folded);
void folded_free(struct folded *folded);

#endif
