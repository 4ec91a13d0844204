/* The set of visited states, exact, compressed, and shared by all workers without locks.
 *
 * A vector is cut into pieces of eight bytes. Each position has a table of the pieces seen
 * there, mostly a few hundred, and a state is the list of their numbers, packed into as many
 * bits as each position needs:
 *
 *      vector   |  piece 0 |  piece 1 |  piece 2 | …        8 bytes each
 *      record   |3|417|0|…                                  0 to 31 bits each
 *
 * A successor differs from its predecessor in a few pieces: only those are looked up again
 * (store_key takes the predecessor's key), in small tables that stay in the cache; then one
 * lookup of the record. A binary tree of interned pairs (LTSmin's) was tried first: it shares
 * more, but misses the cache on every level, and where the halves of a state vary independently
 * its upper levels grow like the roots do.
 *
 * Records lie in chunks of 1,024, bit by bit; each worker fills chunks of its own. A chunk's
 * format (how many bits per position) never changes: a record that does not fit starts a new
 * chunk, so nothing is ever rewritten. The number of a state is chunk * 1,024 + place. Slots of
 * the hash table are 32 bits, number and some bits of the hash, entered by compare-and-swap
 * after the record is written. A lookup goes through the cache line that the hash selects, then
 * through the next one, so that even in a table that is seven eighths full it costs little more
 * than one line.
 *
 *      slots    | tag, number |  ──▶ chunk ──▶ format, records, extra bytes per state, lineage
 *
 * Vectors of different length are in different classes; the first piece holds the shape, which
 * gives the size, so two different vectors never have the same record. The other workers are
 * paused only while a table grows (crew.h). When the memory limit is reached the store says so
 * and the search ends. */
#ifndef MAZUR_PROMELA_STORE_H
#define MAZUR_PROMELA_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "promela/store/crew.h"

#define STORE_CLASSES 160 /* by length: up to VECTOR_LIMIT, see class_of() */
#define STORE_CHUNK   1024u
#define STORE_LIMIT   0x7fffffffu       /* numbers are smaller: searches use the highest bit */
#define STORE_LONGEST (1u << 17)        /* pieces of the longest vector */
#define STORE_ROOM    ((1u << 16) + 64) /* words of the longest key */

struct store;
struct store_writer; /* what one worker fills */

/* A state on its way into the store. The key must outlive it. */
struct store_root {
    uint64_t hash;
    const uint64_t *key;
};

/* `extra` bytes per state, zero at first, belong to the search. */
struct store *store_create(size_t memory_limit, struct crew *crew, uint32_t extra);
void store_free(struct store *store);
/* For worker number `worker` < the crew's size. NULL: no memory. */
struct store_writer *store_writer(struct store *store, int worker);
/* Words that the key of a vector of that size may take. */
uint32_t store_key_words(uint32_t size);
/* Numbers every piece. `parent` may be NULL; `key` has room for store_key_words(size). */
struct store_root store_key(struct store_writer *writer, const uint8_t *vector, uint32_t size,
                            const uint8_t *parent, uint32_t parent_size,
                            const uint64_t *parent_key, uint64_t *key);
/* Prefetch what a lookup of this state will touch: first the slot, later the record. */
void store_prefetch(const struct store *store, struct store_root root);
void store_prefetch_record(const struct store *store, struct store_root root);
/* Prefetches a stored state. */
void store_prefetch_state(const struct store *store, uint32_t number);
/* True if the state is new. */
bool store_add(struct store_writer *writer, struct store_root root, uint32_t *number);
/* The vector and key of a stored state; both need room for the longest of its class. */
void store_get(const struct store *store, uint32_t number, uint8_t *vector, uint64_t *key);
void *store_extra(const struct store *store, uint32_t number);
/* Bits of the search's own, zero at first, right behind the record: whoever looked a state up
 * has them in the cache. For searches that ask for so many before the first state, with one
 * worker. store_bits has those from `at` on as its lowest ones. */
void store_keep_bits(struct store *store, uint32_t bits);
uint32_t store_bits(const struct store *store, uint32_t number, uint32_t at);
void store_change_bits(const struct store *store, uint32_t number, uint32_t at, uint32_t clear,
                       uint32_t set);
/* Predecessors, for searches that ask for them before the first state. The parent of each new
 * state is set by the worker that added it, before it adds another; read when all are done. */
void store_keep_parents(struct store *store);
void store_set_parent(struct store_writer *writer, uint32_t number, uint32_t parent);
uint32_t store_parent(const struct store *store, uint32_t number);
/* Numbers are below this one; those of chunks that were not filled were never given out. */
uint32_t store_end(const struct store *store);
uint64_t store_count(const struct store *store);
size_t store_bytes(const struct store *store);
/* The memory of a search that uses `stacks` bytes beside the store. The store then keeps to the
 * rest of the limit, because a growing table may take a third of all memory at once. */
size_t store_bytes_with(struct store *store, size_t beside);
bool store_full(const struct store *store);

#endif
