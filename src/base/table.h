/* The one hash table: open addressing, linear probing, memory from a pool.
 *
 * There are two kinds, chosen when the table is made:
 *   - a table of 128-bit keys (fingerprints of traces and states);
 *   - a table of 64-bit keys that is emptied before every execution (objects of a program).
 *     Emptying is one increment: the second key word holds the stamp of the execution, and
 *     slots with an older stamp are empty.
 *
 * Invariant: at most three quarters of the slots are live; values are zero when new. */
#ifndef MAZUR_BASE_TABLE_H
#define MAZUR_BASE_TABLE_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/pool.h"

struct table {
    struct pool *pool;
    char *slots;
    uint64_t stamp; /* 0: keys are 128 bits wide */
    uint32_t stride;
    uint32_t capacity; /* power of two */
    uint32_t count;
};

void table_init(struct table *table, struct pool *pool, uint32_t value_size);
void table_init_stamped(struct table *table, struct pool *pool, uint32_t value_size);
void table_destroy(struct table *table);
/* Forget all entries. O(1) with stamps, else O(capacity). */
void table_clear(struct table *table);

/* The value of a key (8-byte aligned), or NULL. With stamps `high` is ignored. Values move when
 * the table grows: a pointer is good until the next table_put. */
void *table_get(const struct table *table, uint64_t low, uint64_t high);
/* The same, but adds the key with a zero value if it is missing; *fresh may be NULL. */
void *table_put(struct table *table, uint64_t low, uint64_t high, bool *fresh);

/* The slot where the search for a key begins. */
static inline char *table_home(const struct table *table, uint64_t low, uint64_t high)
{
    uint64_t word = table->stamp ? low : low ^ (high << 1);
    return table->slots + (size_t)(hash_mix(word) & (table->capacity - 1)) * table->stride;
}
/* Prefetches the slot of a key that will be looked up soon. */
static inline void table_fetch(const struct table *table, uint64_t low, uint64_t high)
{
    __builtin_prefetch(table_home(table, low, high));
}

/* Removes the entries for whose values `drop` returns true; the capacity stays. Not with
 * stamps. */
void table_drop(struct table *table, bool (*drop)(const void *value));

/* Visit all entries: start with *cursor = 0; NULL at the end. */
void *table_next(const struct table *table, uint32_t *cursor, uint64_t key[2]);

#endif
