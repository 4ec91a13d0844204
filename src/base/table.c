/* The hash table (table.h). A slot is two key words and the value:
 *
 *   | low | high or stamp | value … |      stride = 16 + value size, rounded up to 8
 *
 * Without stamps the all-zero key marks an empty slot, so the caller's key 0,0 is stored as
 * 0,1. Keys are hashes, so this hardly makes a collision more likely. */
#include "base/table.h"

#include <string.h>

#include "base/must.h"

#define TABLE_SMALLEST 16

static uint64_t *slot_at(const struct table *table, uint32_t index)
{
    return (uint64_t *)(table->slots + (size_t)index * table->stride);
}

static bool slot_live(const struct table *table, const uint64_t *slot)
{
    return table->stamp ? slot[1] == table->stamp : (slot[0] | slot[1]) != 0;
}

static void table_make(struct table *table, struct pool *pool, uint32_t value_size)
{
    memset(table, 0, sizeof *table);
    table->pool = pool;
    table->stride = 16 + ((value_size + 7) & ~7u);
    table->capacity = TABLE_SMALLEST;
    table->slots = pool_alloc(pool, (size_t)table->capacity * table->stride);
}

void table_init(struct table *table, struct pool *pool, uint32_t value_size)
{
    table_make(table, pool, value_size);
}

void table_init_stamped(struct table *table, struct pool *pool, uint32_t value_size)
{
    table_make(table, pool, value_size);
    table->stamp = 1;
}

void table_destroy(struct table *table)
{
    pool_free(table->pool, table->slots, (size_t)table->capacity * table->stride);
    memset(table, 0, sizeof *table);
}

void table_clear(struct table *table)
{
    if (table->stamp)
        table->stamp++;
    else
        memset(table->slots, 0, (size_t)table->capacity * table->stride);
    table->count = 0;
}

static uint64_t *slot_find(const struct table *table, uint64_t low, uint64_t high)
{
    const char *end = table->slots + (size_t)table->capacity * table->stride;
    for (char *place = table_home(table, low, high);;) {
        uint64_t *slot = (uint64_t *)(void *)place;
        if (!slot_live(table, slot) || (slot[0] == low && slot[1] == high))
            return slot;
        place += table->stride;
        if (place == end)
            place = table->slots;
    }
}

static void key_normalise(const struct table *table, uint64_t low, uint64_t *high)
{
    if (table->stamp)
        *high = table->stamp;
    else if ((low | *high) == 0)
        *high = 1;
}

void *table_get(const struct table *table, uint64_t low, uint64_t high)
{
    key_normalise(table, low, &high);
    uint64_t *slot = slot_find(table, low, high);
    return slot_live(table, slot) ? slot + 2 : NULL;
}

static void table_double(struct table *table)
{
    struct table larger = *table;
    larger.capacity = table->capacity * 2;
    must(larger.capacity > table->capacity);
    larger.slots = pool_alloc(table->pool, (size_t)larger.capacity * larger.stride);
    for (uint32_t i = 0; i < table->capacity; i++) {
        uint64_t *slot = slot_at(table, i);
        if (slot_live(table, slot))
            memcpy(slot_find(&larger, slot[0], slot[1]), slot, table->stride);
    }
    pool_free(table->pool, table->slots, (size_t)table->capacity * table->stride);
    *table = larger;
}

void *table_put(struct table *table, uint64_t low, uint64_t high, bool *fresh)
{
    key_normalise(table, low, &high);
    uint64_t *slot = slot_find(table, low, high);
    bool missing = !slot_live(table, slot);
    if (fresh)
        *fresh = missing;
    if (!missing)
        return slot + 2;
    if (table->count >= table->capacity / 4 * 3) {
        table_double(table);
        slot = slot_find(table, low, high);
    }
    table->count++;
    slot[0] = low;
    slot[1] = high;
    memset(slot + 2, 0, table->stride - 16);
    return slot + 2;
}

/* Empties the slot, and moves up the entries after it that would no longer be found otherwise.
 */
static void slot_remove(struct table *table, uint32_t hole)
{
    uint32_t mask = table->capacity - 1;
    for (uint32_t index = (hole + 1) & mask;; index = (index + 1) & mask) {
        uint64_t *slot = slot_at(table, index);
        if (!slot_live(table, slot))
            break;
        uint32_t home =
            (uint32_t)((size_t)(table_home(table, slot[0], slot[1]) - table->slots) /
                       table->stride);
        if (((index - home) & mask) < ((index - hole) & mask))
            continue; /* its home slot comes after the hole */
        memcpy(slot_at(table, hole), slot, table->stride);
        hole = index;
    }
    memset(slot_at(table, hole), 0, 16);
    table->count--;
}

void table_drop(struct table *table, bool (*drop)(const void *value))
{
    for (uint32_t index = 0; index < table->capacity;) {
        const uint64_t *slot = slot_at(table, index);
        if (slot_live(table, slot) && drop(slot + 2))
            slot_remove(table, index); /* another entry may have moved into the slot */
        else
            index++;
    }
}

void *table_next(const struct table *table, uint32_t *cursor, uint64_t key[2])
{
    while (*cursor < table->capacity) {
        uint64_t *slot = slot_at(table, (*cursor)++);
        if (slot_live(table, slot)) {
            key[0] = slot[0];
            key[1] = slot[1];
            return slot + 2;
        }
    }
    return NULL;
}
