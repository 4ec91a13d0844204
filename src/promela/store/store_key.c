/* Pieces, formats and keys: from a vector to packed numbers and back. See store_inside.h. */
#include <stdlib.h>

#include "promela/store/store_inside.h"

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

u32 store_key_words(u32 size)
{
    return KEY_HEAD + (class_length(piece_count(size)) * PIECES_MOST_BITS + 63) / 64 + 1;
}

/* ---- pieces ---- */

static struct class *start_class(struct store *store, u32 number, u32 length)
{
    pthread_mutex_lock(&store->change);
    struct class *class = atomic_load(&store->class[number]);
    size_t size = sizeof *class + length * sizeof class->pieces[0];
    if (class == NULL && atomic_load(&store->bytes) + size <= store->limit)
        class = calloc(1, size);
    if (class != NULL && class->length == 0) {
        class->length = length;
        bool grown = true;
        for (u32 i = 0; i < length && grown; i++)
            grown = pieces_grow(&class->pieces[i], &store->bytes, store->limit);
        if (grown) {
            atomic_fetch_add(&store->bytes, size);
            atomic_store_explicit(&store->class[number], class, memory_order_release);
        } else {
            for (u32 i = 0; i < length; i++)
                pieces_free(&class->pieces[i]);
            free(class);
            class = NULL;
        }
    }
    pthread_mutex_unlock(&store->change);
    return class;
}

/* The slow way: the table is full. Another worker may have seen to that meanwhile. */
static u32 grow_and_number(struct store *store, struct pieces *p, u64 piece)
{
    u32 number;
    crew_stop_others(store->crew);
    while ((number = pieces_number(p, piece)) == PIECES_FULL)
        if (!pieces_grow(p, &store->bytes, store->limit)) {
            store_set_full(store);
            number = 0;
            break;
        }
    crew_resume(store->crew);
    return number;
}

static inline u32 intern(struct store *store, struct pieces *p, u64 piece)
{
    u32 number = pieces_number(p, piece);
    return __builtin_expect(number == PIECES_FULL, 0) ? grow_and_number(store, p, piece)
                                                      : number;
}

/* ---- formats ---- */

bool store_fits(const struct format *f, const u32 *numbers)
{
    for (u32 i = 0; i < f->length; i++)
        if (numbers[i] > f->at[i].mask)
            return false;
    return true;
}

/* As many bits as the numbers known so far need. */
static struct format *new_format(struct store *store, struct class *class, u32 number)
{
    size_t size = sizeof(struct format) + class->length * sizeof(struct position);
    struct format *f = calloc(1, size);
    if (f == NULL)
        return NULL;
    u32 at = 0;
    f->length = class->length;
    f->class = number;
    f->owner = class;
    for (u32 i = 0; i < class->length; i++) {
        u32 count = atomic_load(&class->pieces[i].count);
        count = count < class->pieces[i].room ? count : class->pieces[i].room;
        u32 bits = count <= 1 ? 0 : 32 - (u32)__builtin_clz(count - 1);
        f->at[i] = (struct position){(u32)(((u64)1 << bits) - 1), at, position_factor(i)};
        at += bits;
    }
    f->bits = at > 0 ? at : 1;
    f->stride = f->bits + store->own_bits;
    f->words = (f->bits + 63) / 64 + 1;
    f->next = store->formats;
    store->formats = f;
    atomic_fetch_add(&store->bytes, size);
    return f;
}

const struct format *store_format(struct store *store, struct class *class, u32 number,
                                  const u32 *numbers)
{
    struct format *f = atomic_load_explicit(&class->format, memory_order_acquire);
    if (f != NULL && store_fits(f, numbers))
        return f;
    pthread_mutex_lock(&store->change);
    f = atomic_load(&class->format);
    if (f == NULL || !store_fits(f, numbers)) {
        f = new_format(store, class, number);
        if (f != NULL)
            atomic_store_explicit(&class->format, f, memory_order_release);
    }
    pthread_mutex_unlock(&store->change);
    return f;
}

void store_pack(const struct format *f, const u32 *numbers, u8 *to, u64 bit)
{
    to += bit / 8;
    u32 filled = bit % 8;
    u64 word = *to & ((1u << filled) - 1);
    for (u32 i = 0; i < f->length; i++) {
        word |= (u64)numbers[i] << filled;
        filled += (u32)__builtin_popcount(f->at[i].mask);
        for (; filled >= 8; filled -= 8) {
            *to++ = (u8)word;
            word >>= 8;
        }
    }
    *to = (u8)word;
}

void store_unpack(const struct key *key, u32 *numbers)
{
    const struct format *f = key->format;
    for (u32 i = 0; i < f->length; i++)
        numbers[i] = key_number(key->bits, f->at[i]);
}

/* ---- keys ---- */

static void key_fill(struct key *key, const struct format *f, const u32 *numbers)
{
    key->format = f;
    key->sum = 0;
    memset(key->bits, 0, f->words * sizeof(u64));
    store_pack(f, numbers, (u8 *)key->bits, 0);
    for (u32 i = 0; i < f->length; i++)
        key->sum += numbers[i] * f->at[i].factor;
}

/* Every piece is numbered anew. */
static struct store_root key_from_nothing(struct store_writer *w, struct class *class,
                                          u32 number, const u64 *vector, u32 count, u64 *words)
{
    struct key *key = key_at(words);
    u32 *numbers = w->numbers;
    for (u32 i = 0; i < class->length; i++)
        numbers[i] = intern(w->store, &class->pieces[i], i < count ? vector[i] : 0);
    const struct format *f = store_format(w->store, class, number, numbers);
    if (f == NULL) {
        store_set_full(w->store);
        *key = (struct key){0};
        return (struct store_root){.key = words};
    }
    key_fill(key, f, numbers);
    return (struct store_root){hash_sum(f, key->sum), words};
}

/* Piece `i` of the key becomes another one. False: its number does not fit the format. */
static inline bool key_change(struct store *store, struct key *key, u32 i, u64 piece)
{
    const struct format *f = key->format;
    struct position p = f->at[i];
    u32 number = intern(store, &f->owner->pieces[i], piece);
    if (__builtin_expect(number > p.mask, 0))
        return false;
    u32 old = key_number(key->bits, p);
    key_flip(key->bits, p, old ^ number);
    key->sum += ((u64)number - old) * p.factor;
    return true;
}

/* Those that differ are found first, all of them: what they are is a surprise to the processor,
 * how many there are mostly is not. */
static bool key_from_parent(struct store *store, struct key *key, const u64 *now,
                            const u64 *old, u32 count)
{
    for (u32 from = 0; from < count; from += 64) {
        u32 end = count - from < 64 ? count - from : 64;
        u64 differ = 0;
        for (u32 i = 0; i < end; i++)
            differ |= (u64)(now[from + i] != old[from + i]) << i;
        for (; differ != 0; differ &= differ - 1) {
            u32 i = from + (u32)__builtin_ctzll(differ);
            if (!key_change(store, key, i, now[i]))
                return false;
        }
    }
    return true;
}

struct store_root store_key(struct store_writer *w, const u8 *vector, u32 size,
                            const u8 *parent, u32 parent_size, const u64 *parent_key,
                            u64 *words)
{
    struct store *store = w->store;
    u32 n = piece_count(size);
    /* numbers are per class: a predecessor of another length is no help */
    if (parent != NULL && piece_count(parent_size) == n && key_in(parent_key)->format != NULL) {
        struct key *key = key_at(words);
        const struct format *f = key_in(parent_key)->format;
        for (u32 i = 0; i < KEY_HEAD + f->words; i++)
            words[i] = parent_key[i];
        if (__builtin_expect(
                key_from_parent(store, key, (const u64 *)vector, (const u64 *)parent, n), 1))
            return (struct store_root){hash_sum(f, key->sum), words};
    }
    u32 number = class_of(n);
    struct class *class = atomic_load_explicit(&store->class[number], memory_order_acquire);
    if (class == NULL)
        class = start_class(store, number, class_length(n));
    if (class == NULL) {
        store_set_full(store);
        *key_at(words) = (struct key){0};
        return (struct store_root){.key = words};
    }
    return key_from_nothing(w, class, number, (const u64 *)vector, n, words);
}

/* A record as it is: the same format. */
static void key_copy(struct key *key, const struct format *f, const u8 *records, u64 record)
{
    u32 last = f->words - 2, unused = 64 * (last + 1) - f->bits;
    for (u32 i = 0; i <= last; i++)
        key->bits[i] = read_bits(records, record + (u64)64 * i);
    key->bits[last] = key->bits[last] << unused >> unused;
    key->bits[last + 1] = 0;
}

/* The key is of the newest format: most of what it is to be compared with is. */
void store_get(const struct store *store, u32 number, u8 *vector, u64 *words)
{
    const struct chunk *chunk = &store->chunks[number / STORE_CHUNK];
    const struct format *f = chunk->format;
    const struct class *class = f->owner;
    const struct format *newest = atomic_load_explicit(&class->format, memory_order_acquire);
    const u8 *records = chunk->records;
    u64 record = record_of(f, number);
    u64 *pieces = (u64 *)vector, sum = 0;
    struct key *key = key_at(words);
    if (f == newest)
        key_copy(key, f, records, record);
    else
        memset(key->bits, 0, newest->words * sizeof(u64));
    for (u32 i = 0; i < f->length; i++) {
        u32 n = read_number(records, record, f->at[i]);
        pieces[i] = class->pieces[i].keys[n];
        sum += n * f->at[i].factor;
        if (f != newest)
            key_flip(key->bits, newest->at[i], n);
    }
    key->format = newest;
    key->sum = sum;
}
