/* What a search for cycles knows of each copy of a state, by one worker or by several.
 *
 *   CYAN   on the stack of this worker's outer search     BLUE   left by the outer search of
 * any worker PINK   met by this worker's inner search that goes on   RED   … by one that is
 * over: no cycle goes through it EXPANDED_FULL   its steps are all of them, not those of one
 * process WHOLE           … and this worker, which has it on its stack, has tried them all
 *
 * One worker has four bits behind each record of the store. Several have bytes of the store's,
 * where BLUE, RED and EXPANDED_FULL are shared, and each worker has two bits of its own.
 *
 * Invariant: EXPANDED_FULL does not change any more when a state is BLUE. */
#ifndef MAZUR_PROMELA_CYCLE_COLOURS_H
#define MAZUR_PROMELA_CYCLE_COLOURS_H

#include "promela/store/store.h"

#define CYAN          1u
#define BLUE          2u
#define RED           4u
#define EXPANDED_FULL 8u
#define COLOURS       4u /* bits, of one worker */
#define PINK          16u
#define WHOLE         32u

struct colours {
    struct store *store;
    int jobs, worker;
    uint32_t width; /* bytes of a copy, with several workers */
};

/* A store for a search by so many workers with so many copies of each state. NULL: no memory.
 */
struct store *colours_store(size_t memory, struct crew *crew, int jobs, uint32_t copies);
struct colours colours_open(struct store *store, int jobs, int worker);

/* Shared ones, and this worker's own. */
uint32_t colours_get(const struct colours *colours, uint32_t number, uint32_t copy);
/* Is it on the stack of another worker? */
bool colours_elsewhere(const struct colours *colours, uint32_t number, uint32_t copy);
/* Some of this worker's own colours go, others come; RED and, with one worker, all others, too.
 */
void colours_change(const struct colours *colours, uint32_t number, uint32_t copy,
                    uint32_t clear, uint32_t set);
/* EXPANDED_FULL, unless it is BLUE without. Returns whether it is now. */
bool colours_expand_full(const struct colours *colours, uint32_t number, uint32_t copy);
/* BLUE. False: all its steps are to be tried, and `whole` says that they were not. */
bool colours_leave(const struct colours *colours, uint32_t number, uint32_t copy, bool whole);

#endif
