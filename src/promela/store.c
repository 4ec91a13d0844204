/* Piece tables, records, and the hash table over records. See store.h. */
#include "promela/store.h"

#include <stdlib.h>
#include <string.h>

/* The pieces seen at one position, numbered in order of arrival. */
struct pieces {
    u64 *keys;
    u32 *slots; /* number + 1 */
    u32 count, room;
    u32 bits;
    u32 width;  /* bytes of a number in a record: 1, 2 or 4 */
    u32 offset; /* in the record */
};

/* Vectors of one length: their records, and an open-addressing table of record numbers. A slot
 * holds number + 1 in as many bits as the table needs, and hash bits above them, so that a
 * probe rarely has to look at a record that is not the one. */
struct records {
    struct pieces *pieces; /* by position; NULL: class not used yet */
    u32 length;            /* positions */
    u32 size;              /* bytes of a record */
    u8 *bytes;
    u32 *slots;
    u32 count, room;
    u32 bits;
};

struct store {
    struct records class[STORE_CLASSES];
    size_t limit, bytes;
    bool full;
};

static u32 piece_count(u32 size)
{
    return (size + 7) / 8;
}

/* Exact up to 32 pieces, then eight classes per doubling: short vectors are the usual case,
 * and long ones of many lengths must not need many tables. */
static u32 class_of(u32 pieces)
{
    if (pieces <= 32)
        return pieces;
    u32 shift = 29u - (u32)__builtin_clz(pieces - 1) - 1;
    return 32 + (shift - 2) * 8 + ((pieces - 1) >> shift) - 7;
}

static u32 class_length(u32 pieces)
{
    if (pieces <= 32)
        return pieces;
    u32 shift = 29u - (u32)__builtin_clz(pieces - 1) - 1;
    return (((pieces - 1) >> shift) + 1) << shift;
}

static inline u64 mix(u64 key)
{
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 32;
    key *= 0xd6e8feb86659fd93u;
    return key ^ (key >> 32);
}

static void *take(struct store *store, size_t size)
{
    void *memory = store->bytes + size <= store->limit ? calloc(1, size) : NULL;
    if (memory == NULL)
        store->full = true;
    else
        store->bytes += size;
    return memory;
}

struct store *store_create(size_t memory_limit)
{
    struct store *store = calloc(1, sizeof *store);
    if (store != NULL)
        store->limit = memory_limit;
    return store;
}

void store_free(struct store *store)
{
    if (store == NULL)
        return;
    for (u32 c = 0; c < STORE_CLASSES; c++) {
        struct records *r = &store->class[c];
        for (u32 i = 0; r->pieces != NULL && i < r->length; i++) {
            free(r->pieces[i].keys);
            free(r->pieces[i].slots);
        }
        free(r->pieces);
        free(r->bytes);
        free(r->slots);
    }
    free(store);
}

/* ---- pieces ---- */

static bool grow_pieces(struct store *store, struct pieces *p)
{
    u32 bits = p->slots == NULL ? 4 : p->bits + 1;
    u32 room = 3u << bits >> 2;
    u32 *slots = take(store, sizeof *slots << bits);
    u64 *keys = take(store, room * sizeof *keys);
    if (slots == NULL || keys == NULL) {
        free(slots);
        free(keys);
        return false;
    }
    if (p->slots != NULL) {
        memcpy(keys, p->keys, p->count * sizeof *keys);
        store->bytes -= (sizeof *slots << p->bits) + p->room * sizeof *keys;
        free(p->slots);
        free(p->keys);
    }
    p->slots = slots;
    p->keys = keys;
    p->bits = bits;
    p->room = room;
    for (u32 i = 0; i < p->count; i++) {
        u64 at = mix(keys[i]) >> (64 - bits);
        while (slots[at] != 0)
            at = (at + 1) & ((1u << bits) - 1);
        slots[at] = i + 1;
    }
    return true;
}

static inline u32 intern(struct store *store, struct pieces *p, u64 key)
{
    u64 at = mix(key) >> (64 - p->bits), mask = ((u64)1 << p->bits) - 1;
    for (; p->slots[at] != 0; at = (at + 1) & mask)
        if (p->keys[p->slots[at] - 1] == key)
            return p->slots[at] - 1;
    if (p->count == p->room) {
        if (p->bits == 30 || !grow_pieces(store, p)) {
            store->full = true;
            return 0;
        }
        return intern(store, p, key);
    }
    p->keys[p->count] = key;
    p->slots[at] = p->count + 1;
    return p->count++;
}

/* ---- records ---- */

static void place_pieces(struct records *r)
{
    r->size = 0;
    for (u32 i = 0; i < r->length; i++) {
        r->pieces[i].offset = r->size;
        r->size += r->pieces[i].width;
    }
}

static bool start_class(struct store *store, struct records *r, u32 length)
{
    struct pieces *pieces = take(store, length * sizeof *pieces);
    if (pieces == NULL)
        return false;
    r->length = length;
    r->pieces = pieces;
    for (u32 i = 0; i < length; i++) {
        pieces[i].width = 1;
        if (!grow_pieces(store, &pieces[i]))
            return false;
    }
    place_pieces(r);
    r->bits = 10;
    r->room = 512;
    r->slots = take(store, sizeof *r->slots << r->bits);
    r->bytes = take(store, (size_t)r->room * r->size);
    return r->slots != NULL && r->bytes != NULL;
}

static inline void write_number(u8 *record, const struct pieces *p, u32 number)
{
    if (p->width == 1)
        record[p->offset] = (u8)number;
    else
        memcpy(record + p->offset, &number, p->width); /* little endian */
}

static inline u32 read_number(const u8 *record, const struct pieces *p)
{
    u32 number = 0;
    if (p->width == 1)
        return record[p->offset];
    memcpy(&number, record + p->offset, p->width);
    return number;
}

static inline u64 hash_refs(const u32 *refs, u32 length)
{
    u64 hash = 0x2545f4914f6cdd1du;
    u32 i = 0;
    for (; i + 1 < length; i += 2)
        hash = (hash ^ ((u64)refs[i] << 32 | refs[i + 1])) * 0x9e3779b97f4a7c15u,
        hash ^= hash >> 29;
    if (i < length)
        hash = (hash ^ refs[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    return mix(hash);
}

static u64 hash_record(const struct records *r, const u8 *record)
{
    u64 hash = 0x2545f4914f6cdd1du;
    u32 i = 0;
    for (; i + 1 < r->length; i += 2) {
        u64 pair = (u64)read_number(record, &r->pieces[i]) << 32 |
                   read_number(record, &r->pieces[i + 1]);
        hash = (hash ^ pair) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    if (i < r->length) {
        hash = (hash ^ read_number(record, &r->pieces[i])) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return mix(hash);
}

/* Some position has more pieces than its width can number: write all records anew. */
static bool widen(struct store *store, struct records *r)
{
    struct records old = *r;
    struct pieces *before = take(store, r->length * sizeof *before);
    if (before == NULL)
        return false;
    memcpy(before, r->pieces, r->length * sizeof *before);
    old.pieces = before;
    for (u32 i = 0; i < r->length; i++)
        r->pieces[i].width = r->pieces[i].count <= 256     ? 1
                             : r->pieces[i].count <= 65536 ? 2
                                                           : 4;
    place_pieces(r);
    u8 *bytes = take(store, (size_t)r->room * r->size);
    if (bytes != NULL) {
        for (u32 n = 0; n < r->count; n++)
            for (u32 i = 0; i < r->length; i++)
                write_number(bytes + (size_t)n * r->size, &r->pieces[i],
                             read_number(old.bytes + (size_t)n * old.size, &before[i]));
        free(old.bytes);
        r->bytes = bytes;
        store->bytes -= (size_t)r->room * old.size;
    } else {
        memcpy(r->pieces, before, r->length * sizeof *before);
        r->size = old.size;
    }
    store->bytes -= r->length * sizeof *before;
    free(before);
    return bytes != NULL;
}

static bool grow_slots(struct store *store, struct records *r)
{
    u32 bits = r->bits + 1;
    u32 *slots = bits <= 30 ? take(store, sizeof *slots << bits) : NULL;
    if (slots == NULL) {
        store->full = true;
        return false;
    }
    u64 mask = ((u64)1 << bits) - 1;
    for (u32 n = 0; n < r->count; n++) {
        u64 hash = hash_record(r, r->bytes + (size_t)n * r->size), at = hash & mask;
        while (slots[at] != 0)
            at = (at + 1) & mask;
        slots[at] = (u32)(hash >> 32) << bits << 1 | (n + 1);
    }
    free(r->slots);
    store->bytes -= sizeof *slots << r->bits;
    r->slots = slots;
    r->bits = bits;
    return true;
}

static bool grow_records(struct store *store, struct records *r)
{
    u32 room = r->room + r->room / 2;
    size_t more = (size_t)(room - r->room) * r->size;
    u8 *bytes =
        store->bytes + more <= store->limit ? realloc(r->bytes, (size_t)room * r->size) : NULL;
    if (bytes == NULL) {
        store->full = true;
        return false;
    }
    store->bytes += more;
    r->bytes = bytes;
    r->room = room;
    return true;
}

/* ---- the interface ---- */

u32 store_ref_count(u32 size)
{
    return class_length(piece_count(size));
}

struct store_root store_refs(struct store *store, const u8 *vector, u32 size, const u8 *parent,
                             u32 parent_size, const u32 *parent_refs, u32 *refs)
{
    const u64 *now = (const u64 *)vector, *old = (const u64 *)parent;
    u32 n = piece_count(size), length = class_length(n);
    struct store_root root = {.class = class_of(n), .refs = refs};
    struct records *r = &store->class[root.class];
    if (store->full || (r->pieces == NULL && !start_class(store, r, length))) {
        store->full = true;
        memset(refs, 0, length * sizeof *refs);
        return root;
    }
    /* numbers are per class: a predecessor of another length is no help */
    u32 m = parent != NULL ? piece_count(parent_size) : 0;
    if (m != n)
        m = 0;
    for (u32 i = 0; i < n; i++)
        refs[i] =
            i < m && now[i] == old[i] ? parent_refs[i] : intern(store, &r->pieces[i], now[i]);
    for (u32 i = n; i < length; i++)
        refs[i] = intern(store, &r->pieces[i], 0);
    root.hash = hash_refs(refs, length);
    return root;
}

static inline bool matches(const struct records *r, u32 number, const u32 *refs)
{
    const u8 *record = r->bytes + (size_t)number * r->size;
    for (u32 i = 0; i < r->length; i++)
        if (read_number(record, &r->pieces[i]) != refs[i])
            return false;
    return true;
}

static void append(struct store *store, struct records *r, const u32 *refs)
{
    for (u32 i = 0; i < r->length; i++) {
        u32 width = r->pieces[i].width;
        if (width < 4 && refs[i] >> (8 * width) != 0) {
            if (!widen(store, r)) {
                store->full = true;
                return;
            }
            break;
        }
    }
    u8 *record = r->bytes + (size_t)r->count * r->size;
    for (u32 i = 0; i < r->length; i++)
        write_number(record, &r->pieces[i], refs[i]);
    r->count++;
}

void store_prefetch(const struct store *store, struct store_root root)
{
    const struct records *r = &store->class[root.class];
    if (!store->full)
        __builtin_prefetch(&r->slots[root.hash & (((u64)1 << r->bits) - 1)]);
}

bool store_find(const struct store *store, struct store_root root, u32 *index)
{
    const struct records *r = &store->class[root.class];
    if (store->full)
        return false;
    u64 mask = ((u64)1 << r->bits) - 1, at = root.hash & mask;
    u32 number_mask = (2u << r->bits) - 1, tag = (u32)(root.hash >> 32) << r->bits << 1;
    for (; r->slots[at] != 0; at = (at + 1) & mask) {
        u32 entry = r->slots[at];
        if ((entry & ~number_mask) == tag && matches(r, (entry & number_mask) - 1, root.refs)) {
            *index = (entry & number_mask) - 1;
            return true;
        }
    }
    return false;
}

/* Once the memory is used up nothing is added, so that every table keeps an empty slot. */
bool store_add(struct store *store, struct store_root root, u32 *index)
{
    struct records *r = &store->class[root.class];
    *index = 0;
    if (store->full)
        return false;
    u64 mask = ((u64)1 << r->bits) - 1, at = root.hash & mask;
    u32 number_mask = (2u << r->bits) - 1, tag = (u32)(root.hash >> 32) << r->bits << 1;
    for (; r->slots[at] != 0; at = (at + 1) & mask) {
        u32 entry = r->slots[at];
        if ((entry & ~number_mask) == tag && matches(r, (entry & number_mask) - 1, root.refs)) {
            *index = (entry & number_mask) - 1;
            return false;
        }
    }
    if (r->count == r->room && !grow_records(store, r))
        return false;
    *index = r->count;
    append(store, r, root.refs);
    if (*index == r->count)
        return false; /* no memory */
    r->slots[at] = tag | (*index + 1);
    if ((u64)r->count * 4 > ((u64)3 << r->bits))
        grow_slots(store, r);
    return true;
}

void store_get(const struct store *store, u32 class, u32 index, u8 *vector, u32 *refs)
{
    const struct records *r = &store->class[class];
    const u8 *record = r->bytes + (size_t)index * r->size;
    u64 *pieces = (u64 *)vector;
    for (u32 i = 0; i < r->length; i++) {
        refs[i] = read_number(record, &r->pieces[i]);
        pieces[i] = r->pieces[i].keys[refs[i]];
    }
}

u64 store_count(const struct store *store)
{
    u64 total = 0;
    for (u32 c = 0; c < STORE_CLASSES; c++)
        total += store->class[c].count;
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
