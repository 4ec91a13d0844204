/* The lower part of a deep depth-first stack, as choices: which of its successors each state
 * there is trying.
 *
 * A depth-first search of a large model has most of its states on the stack at once, so the
 * stack needs more memory than the table of hashes. But the search only works at the top. Below
 * it, each state is kept as one number of a byte or two, and only the first state of each
 * segment (of at most FOLDED_FRAMES states) is kept in full: from there the others are expanded
 * again, in the same order, when the search returns to them.
 *
 *      bytes    | head | vector | choice | choice | … || head | vector | choice | …
 *
 * Invariant: all segments have the same number of choices, and only the last one is ever
 * removed. */
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

/* Makes room for a segment of so many choices with a vector of that size. False: no memory.
 * After this, nothing can fail. */
bool folded_reserve(struct folded *folded, size_t size, uint32_t choices);
void folded_begin(struct folded *folded, struct folded_head head, const uint8_t *vector);
void folded_choice(struct folded *folded, uint32_t choice);
/* Reads the head at `at`, and moves `at` to the choices; the vector is copied unless NULL. */
struct folded_head folded_read_head(const struct folded *folded, size_t *at, uint8_t *vector);
uint32_t folded_read_choice(const struct folded *folded, size_t *at);
/* Moves a whole segment to `at`, where there is room for it. */
void folded_put(struct folded *folded, size_t at, size_t before, const uint8_t *segment,
                size_t size);
/* Removes the last segment, which was read. */
void folded_drop(struct folded *folded);
void folded_free(struct folded *folded);

#endif
