/* Which state each state of a chunk was first reached from, for the counter-example.
 *
 * Four bytes per state would be a third of all that the store needs for short vectors. But a
 * search adds the new successors of a state one after the other, and the next state that it
 * expands is usually close to the last. So a chunk stores runs of states with the same
 * predecessor, as the distance from the run before. This takes half a byte to a byte per state.
 * It is read only when a failure is shown, from the start of the chunk.
 *
 *      entry    | length - 1 | more? | distance |  | more? | distance | …
 *      bits           2          1        5            1        7
 *
 * The distance is signed and folded (0, -1, 1, -2, …), lowest bits first, from the predecessor
 * of the run before (for the first run: from the number of the chunk's first state). A longer
 * run takes several entries.
 *
 * Invariant: the lineage can be read at any time, because a run grows in its first byte. */
#ifndef MAZUR_PROMELA_LINEAGE_H
#define MAZUR_PROMELA_LINEAGE_H

#include <stdbool.h>
#include <stdint.h>

#define LINEAGE_MOST(states) (5u * (states)) /* bytes: 5 + 4 * 7 bits are enough for 32 */
#define LINEAGE_RUN          4u              /* states of one entry */
#define LINEAGE_RUN_SHIFT    6u

struct lineage {
    uint8_t *bytes;
    uint32_t length; /* in bytes */
    uint32_t last;   /* where the last entry starts */
    uint32_t run;    /* its states; LINEAGE_RUN: it takes no more */
    uint32_t parent; /* of all of them */
};

/* Begin a chunk whose first state has that number. */
static inline void lineage_begin(struct lineage *l, uint32_t first)
{
    l->length = l->last = 0;
    l->run = LINEAGE_RUN;
    l->parent = first;
}

void lineage_start_run(struct lineage *l, uint32_t parent);
/* Of the state at that place of the chunk that starts with `first`. */
uint32_t lineage_parent(const uint8_t *bytes, uint32_t first, uint32_t place);

/* The next state of the chunk. */
static inline void lineage_add(struct lineage *l, uint32_t parent)
{
    if (parent != l->parent || l->run == LINEAGE_RUN) {
        lineage_start_run(l, parent);
        return;
    }
    l->bytes[l->last] = (uint8_t)(l->bytes[l->last] + (1u << LINEAGE_RUN_SHIFT));
    l->run++;
}

#endif
