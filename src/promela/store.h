/* The set of visited states, exact, by tree compression.
 *
 * A vector of n eight-byte leaves becomes a binary tree of pairs; each level has a table that
 * interns its pairs, so that states share everything but their roots:
 *
 *            root (r5, r2)                    one 8-byte key per state, and its hash slot
 *           /            \
 *     (l7, l1)          (l3, l3)              inner tables: few entries, shared
 *     /    \             /   \
 *  leaf7  leaf1       leaf3  leaf3            leaf table: distinct 8-byte pieces
 *
 * A successor differs from its predecessor in a few leaves: only the path above those is
 * interned again (store_refs takes the predecessor's references). Trees of different height
 * have separate root tables, and a lone last node is passed up unpaired; the leftmost leaf
 * holds the shape, which gives the size, so two different vectors never share a root.
 *
 * Tables grow; when the memory limit is reached the store says so and the search ends. */
#ifndef MAZUR_PROMELA_STORE_H
#define MAZUR_PROMELA_STORE_H

#include "promela/step.h"

#include <stdbool.h>
#include <stddef.h>

#define STORE_LEVELS 18 /* 2^17 leaves of 8 bytes: VECTOR_LIMIT */

struct store;

struct store_root {
    u64 key;
    u32 height;
};

struct store *store_create(size_t memory_limit);
void store_free(struct store *store);
/* References needed for a vector of that size. */
u32 store_ref_count(u32 size);
/* Intern everything below the root. `parent` may be NULL; refs has room for store_ref_count. */
struct store_root store_refs(struct store *store, const u8 *vector, u32 size, const u8 *parent,
                             u32 parent_size, const u32 *parent_refs, u32 *refs);
void store_prefetch(const struct store *store, struct store_root root);
bool store_has(const struct store *store, struct store_root root);
/* True if the state is new. *index counts states of that height from 0. */
bool store_add(struct store *store, struct store_root root, u32 *index);
/* The vector of a stored state; returns nothing but writes size bytes, given by its shape,
 * and the references. `size_of` maps a shape id to a size. */
void store_get(const struct store *store, u32 height, u32 index, u8 *vector, u32 *refs,
               u32 (*size_of)(void *, u32), void *context);
u64 store_count(const struct store *store);
size_t store_bytes(const struct store *store);
bool store_full(const struct store *store);

#endif
