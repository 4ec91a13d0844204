/* Tree-compressed store: interning tables and the tree over them. See store.h. */
#include "promela/store.h"

#include <stdlib.h>
#include <string.h>

/* Keys in order of arrival, and an open-addressing table of their numbers. A slot holds
 * number + 1 in as many bits as the table's size needs, and hash bits above them, so that a
 * probe rarely has to look at a key that is not the one. */
struct table {
    u64 *keys;
    u32 *slots;
    u32 count, key_room;
    u32 bits; /* log2 of the number of slots */
};

struct store {
    struct table inner[STORE_LEVELS];
    struct table roots[STORE_LEVELS];
    size_t limit, bytes;
    bool full;
};

static inline u64 mix(u64 key)
{
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 32;
    key *= 0xd6e8feb86659fd93u;
    return key ^ (key >> 32);
}

static inline u32 tagged(const struct table *t, u64 hash, u32 number)
{
    return (u32)(hash >> 32) << t->bits << 1 | (number + 1);
}

static bool table_init(struct store *store, struct table *t, u32 bits)
{
    t->bits = bits;
    t->key_room = 1u << bits >> 1;
    t->slots = calloc((size_t)1 << bits, sizeof *t->slots);
    t->keys = malloc(t->key_room * sizeof *t->keys);
    if (t->slots == NULL || t->keys == NULL)
        return false;
    store->bytes += ((size_t)1 << bits) * sizeof *t->slots + t->key_room * sizeof *t->keys;
    return true;
}

static bool grow_keys(struct store *store, struct table *t)
{
    u32 room = t->key_room + t->key_room / 2;
    size_t more = (size_t)(room - t->key_room) * sizeof *t->keys;
    if (store->bytes + more > store->limit)
        return false;
    u64 *keys = realloc(t->keys, (size_t)room * sizeof *keys);
    if (keys == NULL)
        return false;
    t->keys = keys;
    t->key_room = room;
    store->bytes += more;
    return true;
}

static bool grow_slots(struct store *store, struct table *t)
{
    size_t old = (size_t)1 << t->bits;
    if (t->bits == 30 || store->bytes + 2 * old * sizeof *t->slots > store->limit)
        return false;
    u32 *slots = calloc(2 * old, sizeof *slots);
    if (slots == NULL)
        return false;
    free(t->slots);
    t->slots = slots;
    t->bits++;
    store->bytes += old * sizeof *slots;
    u64 mask = ((u64)1 << t->bits) - 1;
    for (u32 i = 0; i < t->count; i++) {
        u64 hash = mix(t->keys[i]), at = hash & mask;
        while (slots[at] != 0)
            at = (at + 1) & mask;
        slots[at] = tagged(t, hash, i);
    }
    return true;
}

/* The key's number, or its future number (== count) if it is absent; *at is its slot. */
static inline u32 table_find(const struct table *t, u64 key, u64 hash, u64 *at)
{
    u64 mask = ((u64)1 << t->bits) - 1, slot = hash & mask;
    u32 number_mask = (2u << t->bits) - 1, tag = (u32)(hash >> 32) << t->bits << 1;
    for (;; slot = (slot + 1) & mask) {
        u32 entry = t->slots[slot];
        if (entry == 0)
            break;
        if ((entry & ~number_mask) == tag && t->keys[(entry & number_mask) - 1] == key)
            return (entry & number_mask) - 1;
    }
    *at = slot;
    return t->count;
}

static u32 table_append(struct store *store, struct table *t, u64 key, u64 hash, u64 at)
{
    if (t->count == t->key_room && !grow_keys(store, t)) {
        store->full = true;
        return 0;
    }
    t->keys[t->count] = key;
    t->slots[at] = tagged(t, hash, t->count);
    u32 number = t->count++;
    if ((u64)t->count * 4 > ((u64)3 << t->bits) && !grow_slots(store, t))
        store->full = true;
    return number;
}

static inline u32 intern(struct store *store, struct table *t, u64 key)
{
    u64 hash = mix(key), at = 0;
    u32 number = table_find(t, key, hash, &at);
    if (number == t->count)
        number = table_append(store, t, key, hash, at);
    return number;
}

struct store *store_create(size_t memory_limit)
{
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return NULL;
    store->limit = memory_limit;
    for (int i = 0; i < STORE_LEVELS; i++)
        if (!table_init(store, &store->inner[i], i < 4 ? 10 : 6) ||
            !table_init(store, &store->roots[i], 6)) {
            store_free(store);
            return NULL;
        }
    return store;
}

void store_free(struct store *store)
{
    if (store == NULL)
        return;
    for (int i = 0; i < STORE_LEVELS; i++) {
        free(store->inner[i].keys);
        free(store->inner[i].slots);
        free(store->roots[i].keys);
        free(store->roots[i].slots);
    }
    free(store);
}

static inline u32 leaf_count(u32 size)
{
    return (size + 7) / 8;
}

u32 store_ref_count(u32 size)
{
    u32 total = 0;
    for (u32 n = leaf_count(size); n > 1; n = (n + 1) / 2)
        total += n;
    return total + 1;
}

struct store_root store_refs(struct store *store, const u8 *vector, u32 size, const u8 *parent,
                             u32 parent_size, const u32 *parent_refs, u32 *refs)
{
    const u64 *leaves = (const u64 *)vector, *old = (const u64 *)parent;
    u32 n = leaf_count(size), m = parent != NULL ? leaf_count(parent_size) : 0;
    struct store_root root = {.height = 0};
    if (n == 1) {
        root.key = leaves[0];
        return root;
    }
    if (m == 1)
        m = 0; /* it has no references */
    for (u32 i = 0; i < n; i++)
        refs[i] = i < m && leaves[i] == old[i] ? parent_refs[i]
                                               : intern(store, &store->inner[0], leaves[i]);
    for (root.height = 1; n > 2; root.height++) {
        const u32 *below = refs, *old_below = parent_refs;
        u32 *level = refs + n;
        const u32 *old_level = parent_refs + m;
        bool usable = m > 2;
        u32 pairs = n / 2;
        for (u32 i = 0; i < pairs; i++) {
            if (usable && 2 * i + 1 < m && below[2 * i] == old_below[2 * i] &&
                below[2 * i + 1] == old_below[2 * i + 1])
                level[i] = old_level[i];
            else
                level[i] = intern(store, &store->inner[root.height],
                                  (u64)below[2 * i] << 32 | below[2 * i + 1]);
        }
        if (n & 1)
            level[pairs] = below[n - 1];
        refs = level;
        n = (n + 1) / 2;
        parent_refs = old_level;
        m = usable ? (m + 1) / 2 : 0;
    }
    root.key = (u64)refs[0] << 32 | refs[1];
    return root;
}

void store_prefetch(const struct store *store, struct store_root root)
{
    const struct table *t = &store->roots[root.height];
    __builtin_prefetch(&t->slots[mix(root.key) & (((u64)1 << t->bits) - 1)]);
}

bool store_has(const struct store *store, struct store_root root)
{
    const struct table *t = &store->roots[root.height];
    u64 at;
    return table_find(t, root.key, mix(root.key), &at) != t->count;
}

bool store_add(struct store *store, struct store_root root, u32 *index)
{
    struct table *t = &store->roots[root.height];
    u64 hash = mix(root.key), at = 0;
    u32 number = table_find(t, root.key, hash, &at);
    *index = number;
    if (number != t->count)
        return false;
    table_append(store, t, root.key, hash, at);
    return true;
}

/* Node `node` of level `level` (0: leaf) to the leaves below it. `width[level]` is the number
 * of nodes there; a last node without a partner is the one below it. */
static void unfold(const struct store *store, u64 *leaves, const u32 *width, u32 level,
                   u32 node, u32 ref, u32 **level_refs)
{
    level_refs[level][node] = ref;
    if (level == 0) {
        leaves[node] = store->inner[0].keys[ref];
        return;
    }
    if (2 * node + 1 >= width[level - 1]) {
        unfold(store, leaves, width, level - 1, 2 * node, ref, level_refs);
        return;
    }
    u64 pair = store->inner[level].keys[ref];
    unfold(store, leaves, width, level - 1, 2 * node, (u32)(pair >> 32), level_refs);
    unfold(store, leaves, width, level - 1, 2 * node + 1, (u32)pair, level_refs);
}

void store_get(const struct store *store, u32 height, u32 index, u8 *vector, u32 *refs,
               u32 (*size_of)(void *, u32), void *context)
{
    u64 key = store->roots[height].keys[index];
    u64 *leaves = (u64 *)vector;
    if (height == 0) {
        leaves[0] = key;
        return;
    }
    u32 ref = (u32)(key >> 32);
    for (u32 level = height - 1; level > 0; level--)
        ref = (u32)(store->inner[level].keys[ref] >> 32);
    u32 size = size_of(context, (u32)store->inner[0].keys[ref]);
    u32 width[STORE_LEVELS], *level_refs[STORE_LEVELS], n = leaf_count(size);
    for (u32 level = 0; level < height; level++) {
        width[level] = n;
        level_refs[level] = refs;
        refs += n;
        n = (n + 1) / 2;
    }
    unfold(store, leaves, width, height - 1, 0, (u32)(key >> 32), level_refs);
    unfold(store, leaves, width, height - 1, 1, (u32)key, level_refs);
}

u64 store_count(const struct store *store)
{
    u64 total = 0;
    for (int i = 0; i < STORE_LEVELS; i++)
        total += store->roots[i].count;
    return total;
}

size_t store_bytes(const struct store *store)
{
    return store->bytes;
}

bool store_full(const struct store *store)
{
    return store->full;
}
