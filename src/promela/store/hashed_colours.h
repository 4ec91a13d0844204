/* Colours of states by their hashes: what a nested depth-first search with --store compact or
 * bitstate knows.
 *
 * States on the stack of the outer search are compared by all 128 bits, in a table that is
 * itself a stack: cycles are closed there, so none is reported by mistake. Whether either
 * search has visited a state, and how it was expanded, is kept in the hashes of
 * hashed_states.h, one version for each fact. So a state may be missed, and the search never
 * claims to be complete. */
#ifndef MAZUR_PROMELA_HASHED_COLOURS_H
#define MAZUR_PROMELA_HASHED_COLOURS_H

#include "promela/store/hashed_states.h"

enum hashed_colour { HASHED_OUTER, HASHED_INNER, HASHED_FULL, HASHED_COLOURS };

struct hashed_colours;

struct hashed_colours *hashed_colours_create(bool bits, size_t memory);
void hashed_colours_free(struct hashed_colours *colours);
bool hashed_has(const struct hashed_colours *colours, struct fingerprint print, uint32_t copy,
                enum hashed_colour colour);
/* True if it had not. */
bool hashed_paint(struct hashed_colours *colours, struct fingerprint print, uint32_t copy,
                  enum hashed_colour colour);
/* True if no copy of the state was entered before. */
bool hashed_meet(struct hashed_colours *colours, struct fingerprint print);
bool hashed_on_stack(const struct hashed_colours *colours, struct fingerprint print,
                     uint32_t copy);
/* False: no memory. */
bool hashed_push(struct hashed_colours *colours, struct fingerprint print, uint32_t copy);
void hashed_pop(struct hashed_colours *colours);
size_t hashed_colours_bytes(const struct hashed_colours *colours);
bool hashed_colours_full(const struct hashed_colours *colours);
double hashed_colours_missed(const struct hashed_colours *colours);

#endif
