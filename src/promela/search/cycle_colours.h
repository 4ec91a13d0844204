/* What a search for cycles, by one worker or several, knows about each copy of a state.
 *
 *     CYAN            on the stack of this worker's outer search
 *     BLUE            the outer search of some worker has left it
 *     PINK            visited by this worker's inner search, which is still running
 *     RED             visited by a finished inner search: no cycle goes through it
 *     EXPANDED_FULL   must be expanded by the steps of all processes, not of one
 *     WHOLE           … and this worker, which has it on its stack, has tried all of them
 *
 * With one worker, the colours are four bits behind each record of the store. With several,
 * they are extra bytes of the store: BLUE, RED and EXPANDED_FULL are shared, and each worker
 * has two bits of its own.
 *
 * Invariant: once a state is BLUE, EXPANDED_FULL no longer changes. */
#ifndef MAZUR_PROMELA_CYCLE_COLOURS_H
#define MAZUR_PROMELA_CYCLE_COLOURS_H

#include "promela/store/store.h"

#define CYAN          1u
#define BLUE          2u
#define RED           4u
#define EXPANDED_FULL 8u
#define COLOURS       4u /* bits that one worker needs */
#define PINK          16u
#define WHOLE         32u

struct colours {
    struct store *store;
    int jobs, worker;
    uint32_t width; /* bytes of a copy, with several workers */
};

/* A store for `jobs` workers and `copies` copies of each state. NULL: no memory. */
struct store *colours_store(size_t memory, struct crew *crew, int jobs, uint32_t copies);
struct colours colours_open(struct store *store, int jobs, int worker);

/* The shared colours and this worker's own. */
uint32_t colours_get(const struct colours *colours, uint32_t number, uint32_t copy);
/* Is it on the stack of another worker? */
bool colours_elsewhere(const struct colours *colours, uint32_t number, uint32_t copy);
/* Removes and adds this worker's own colours, RED, and with one worker all others, too. */
void colours_change(const struct colours *colours, uint32_t number, uint32_t copy,
                    uint32_t clear, uint32_t set);
/* Sets EXPANDED_FULL, unless the state is BLUE without it. Returns whether it is set now. */
bool colours_expand_full(const struct colours *colours, uint32_t number, uint32_t copy);
/* Sets BLUE. False: all steps must be tried, and `whole` says that they were not. */
bool colours_leave(const struct colours *colours, uint32_t number, uint32_t copy, bool whole);

#endif
