/* The set of visited states, exact and compressed.
 *
 * A vector is cut into pieces of eight bytes. Each position has a table of the pieces seen
 * there, mostly a few hundred, and a state is the list of their numbers:
 *
 *      vector   |  piece 0 |  piece 1 |  piece 2 | …        8 bytes each
 *      record   |   3   |   417   |   0   | …               1, 2 or 4 bytes each, by need
 *
 * A successor differs from its predecessor in a few pieces: only those are looked up again
 * (store_refs takes the predecessor's numbers), in small tables that stay in the cache; then
 * one lookup of the record. A binary tree of interned pairs (LTSmin's) was tried first: it
 * shares more, but misses the cache on every level, and where the halves of a state vary
 * independently its upper levels grow like the roots do.
 *
 * Vectors of different length are in different classes; the first piece holds the shape, which
 * gives the size, so two different vectors never have the same record. Tables grow; when the
 * memory limit is reached the store says so and the search ends. */
#ifndef MAZUR_PROMELA_STORE_H
#define MAZUR_PROMELA_STORE_H

#include "promela/step.h"

#include <stdbool.h>
#include <stddef.h>

#define STORE_CLASSES 160 /* by length: up to VECTOR_LIMIT, see class_of() */

struct store;

/* A state on its way into the store. `refs` must outlive it. */
struct store_root {
    u64 hash;
    const u32 *refs;
    u32 class;
};

struct store *store_create(size_t memory_limit);
void store_free(struct store *store);
/* References needed for a vector of that size. */
u32 store_ref_count(u32 size);
/* Number every piece. `parent` may be NULL; refs has room for store_ref_count(size). */
struct store_root store_refs(struct store *store, const u8 *vector, u32 size, const u8 *parent,
                             u32 parent_size, const u32 *parent_refs, u32 *refs);
/* Start to fetch what a lookup of this state will touch. */
void store_prefetch(const struct store *store, struct store_root root);
/* True if the state is there. */
bool store_find(const struct store *store, struct store_root root, u32 *index);
/* True if the state is new. *index counts states of that class from 0. */
bool store_add(struct store *store, struct store_root root, u32 *index);
/* The vector and references of a stored state; both need room for its class. */
void store_get(const struct store *store, u32 class, u32 index, u8 *vector, u32 *refs);
u64 store_count(const struct store *store);
size_t store_bytes(const struct store *store);
bool store_full(const struct store *store);

#endif
