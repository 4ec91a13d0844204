/* Pieces, formats and keys: from a vector to packed numbers and back. See store_inside.h. */
#include <stdlib.h>

#include "promela/store/store_inside.h"

static uint32_t piece_count(uint32_t size)
{
    return (size + 7) / 8;
}

/* Exact up to 32 pieces, then eight classes per doubling: short vectors are the usual case,
 * and long ones of many lengths must not need many tables. */
static uint32_t class_of(uint32_t pieces)
{
    if (pieces <= 32)
        return pieces;
    uint32_t shift = 29u - (uint32_t)__builtin_clz(pieces - 1) - 1;
    return 32 + (shift - 2) * 8 + ((pieces - 1) >> shift) - 7;
}

static uint32_t class_length(uint32_t pieces)
{
    if (pieces <= 32)
        return pieces;
    uint32_t shift = 29u - (uint32_t)__builtin_clz(pieces - 1) - 1;
    return (((pieces - 1) >> shift) + 1) << shift;
}

uint32_t store_key_words(uint32_t size)
{
    return KEY_HEAD + (class_length(piece_count(size)) * PIECES_MOST_BITS + 63) / 64 + 1;
}

/* --- pieces --- */

static struct class *start_class(struct store *store, uint32_t number, uint32_t length)
{
    pthread_mutex_lock(&store->change);
    struct class *class = atomic_load(&store->class[number]);
    size_t size = sizeof *class + length * sizeof class->pieces[0];
    if (!class && atomic_load(&store->bytes) + size <= store->limit)
        class = calloc(1, size);
    if (class && class->length == 0) {
        class->length = length;
        bool grown = true;
        for (uint32_t i = 0; i < length && grown; i++)
            grown = pieces_grow(&class->pieces[i], &store->bytes, store->limit);
        if (grown) {
            atomic_fetch_add(&store->bytes, size);
            atomic_store_explicit(&store->class[number], class, memory_order_release);
        } else {
            for (uint32_t i = 0; i < length; i++)
                pieces_free(&class->pieces[i]);
            free(class);
            class = NULL;
        }
    }
    pthread_mutex_unlock(&store->change);
    return class;
}

/* The slow path: the table is full. Another worker may have grown it meanwhile. */
static uint32_t grow_and_number(struct store *store, struct pieces *p, uint64_t piece)
{
    uint32_t number;
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

static inline uint32_t intern_piece(struct store *store, struct pieces *p, uint64_t piece)
{
    uint32_t number = pieces_number(p, piece);
    return __builtin_expect(number == PIECES_FULL, 0) ? grow_and_number(store, p, piece)
                                                      : number;
}

/* --- formats --- */

bool store_fits(const struct format *f, const uint32_t *numbers)
{
    for (uint32_t i = 0; i < f->length; i++)
        if (numbers[i] > f->at[i].mask)
            return false;
    return true;
}

/* As many bits as the numbers so far need. */
static struct format *new_format(struct store *store, struct class *class, uint32_t number)
{
    size_t size = sizeof(struct format) + class->length * sizeof(struct piece_position);
    struct format *f = calloc(1, size);
    if (!f)
        return NULL;
    uint32_t at = 0;
    f->length = class->length;
    f->class = number;
    f->owner = class;
    for (uint32_t i = 0; i < class->length; i++) {
        uint32_t count = atomic_load(&class->pieces[i].count);
        count = count < class->pieces[i].room ? count : class->pieces[i].room;
        uint32_t bits = count <= 1 ? 0 : 32 - (uint32_t)__builtin_clz(count - 1);
        f->at[i] = (struct piece_position){(uint32_t)(((uint64_t)1 << bits) - 1), at,
                                           position_factor(i)};
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

const struct format *store_format(struct store *store, struct class *class, uint32_t number,
                                  const uint32_t *numbers)
{
    struct format *f = atomic_load_explicit(&class->format, memory_order_acquire);
    if (f && store_fits(f, numbers))
        return f;
    pthread_mutex_lock(&store->change);
    f = atomic_load(&class->format);
    if (!f || !store_fits(f, numbers)) {
        f = new_format(store, class, number);
        if (f)
            atomic_store_explicit(&class->format, f, memory_order_release);
    }
    pthread_mutex_unlock(&store->change);
    return f;
}

void store_pack(const struct format *f, const uint32_t *numbers, uint8_t *to, uint64_t bit)
{
    to += bit / 8;
    uint32_t filled = bit % 8;
    uint64_t word = *to & ((1u << filled) - 1);
    for (uint32_t i = 0; i < f->length; i++) {
        word |= (uint64_t)numbers[i] << filled;
        filled += (uint32_t)__builtin_popcount(f->at[i].mask);
        for (; filled >= 8; filled -= 8) {
            *to++ = (uint8_t)word;
            word >>= 8;
        }
    }
    *to = (uint8_t)word;
}

void store_unpack(const struct key *key, uint32_t *numbers)
{
    const struct format *f = key->format;
    for (uint32_t i = 0; i < f->length; i++)
        numbers[i] = key_number(key->bits, f->at[i]);
}

/* --- keys --- */

static void key_fill(struct key *key, const struct format *f, const uint32_t *numbers)
{
    key->format = f;
    key->sum = 0;
    memset(key->bits, 0, f->words * sizeof(uint64_t));
    store_pack(f, numbers, (uint8_t *)key->bits, 0);
    for (uint32_t i = 0; i < f->length; i++)
        key->sum += numbers[i] * f->at[i].factor;
}

/* Number every piece again. */
static struct store_root key_from_nothing(struct store_writer *w, struct class *class,
                                          uint32_t number, const uint64_t *vector,
                                          uint32_t count, uint64_t *words)
{
    struct key *key = key_at(words);
    uint32_t *numbers = w->numbers;
    for (uint32_t i = 0; i < class->length; i++)
        numbers[i] = intern_piece(w->store, &class->pieces[i], i < count ? vector[i] : 0);
    const struct format *f = store_format(w->store, class, number, numbers);
    if (!f) {
        store_set_full(w->store);
        *key = (struct key){0};
        return (struct store_root){.key = words};
    }
    key_fill(key, f, numbers);
    return (struct store_root){hash_sum(f, key->sum), words};
}

/* Replaces piece `i` of the key. False: the number does not fit the format. */
static inline bool key_change(struct store *store, struct key *key, uint32_t i, uint64_t piece)
{
    const struct format *f = key->format;
    struct piece_position p = f->at[i];
    uint32_t number = intern_piece(store, &f->owner->pieces[i], piece);
    if (__builtin_expect(number > p.mask, 0))
        return false;
    uint32_t old = key_number(key->bits, p);
    key_flip(key->bits, p, old ^ number);
    key->sum += ((uint64_t)number - old) * p.factor;
    return true;
}

/* First finds all pieces that differ: the processor can't predict which ones differ, but it can
 * usually predict how many. */
static bool key_from_parent(struct store *store, struct key *key, const uint64_t *now,
                            const uint64_t *old, uint32_t count)
{
    for (uint32_t from = 0; from < count; from += 64) {
        uint32_t end = count - from < 64 ? count - from : 64;
        uint64_t differ = 0;
        for (uint32_t i = 0; i < end; i++)
            differ |= (uint64_t)(now[from + i] != old[from + i]) << i;
        for (; differ != 0; differ &= differ - 1) {
            uint32_t i = from + (uint32_t)__builtin_ctzll(differ);
            if (!key_change(store, key, i, now[i]))
                return false;
        }
    }
    return true;
}

struct store_root store_key(struct store_writer *w, const uint8_t *vector, uint32_t size,
                            const uint8_t *parent, uint32_t parent_size,
                            const uint64_t *parent_key, uint64_t *words)
{
    struct store *store = w->store;
    uint32_t n = piece_count(size);
    /* numbers are per class: a predecessor of another length is no help */
    if (parent && piece_count(parent_size) == n && key_in(parent_key)->format) {
        struct key *key = key_at(words);
        const struct format *f = key_in(parent_key)->format;
        for (uint32_t i = 0; i < KEY_HEAD + f->words; i++)
            words[i] = parent_key[i];
        if (__builtin_expect(key_from_parent(store, key, (const uint64_t *)vector,
                                             (const uint64_t *)parent, n),
                             1))
            return (struct store_root){hash_sum(f, key->sum), words};
    }
    uint32_t number = class_of(n);
    struct class *class = atomic_load_explicit(&store->class[number], memory_order_acquire);
    if (!class)
        class = start_class(store, number, class_length(n));
    if (!class) {
        store_set_full(store);
        *key_at(words) = (struct key){0};
        return (struct store_root){.key = words};
    }
    return key_from_nothing(w, class, number, (const uint64_t *)vector, n, words);
}

/* A record as it is: the same format. */
static void key_copy(struct key *key, const struct format *f, const uint8_t *records,
                     uint64_t record)
{
    uint32_t last = f->words - 2, unused = 64 * (last + 1) - f->bits;
    for (uint32_t i = 0; i <= last; i++)
        key->bits[i] = read_bits(records, record + (uint64_t)64 * i);
    key->bits[last] = key->bits[last] << unused >> unused;
    key->bits[last + 1] = 0;
}

/* The key has the newest format, like most records that it is compared with. */
void store_get(const struct store *store, uint32_t number, uint8_t *vector, uint64_t *words)
{
    const struct store_chunk *chunk = &store->chunks[number / STORE_CHUNK];
    const struct format *f = chunk->format;
    const struct class *class = f->owner;
    const struct format *newest = atomic_load_explicit(&class->format, memory_order_acquire);
    const uint8_t *records = chunk->records;
    uint64_t record = record_of(f, number);
    uint64_t *pieces = (uint64_t *)vector, sum = 0;
    struct key *key = key_at(words);
    if (f == newest)
        key_copy(key, f, records, record);
    else
        memset(key->bits, 0, newest->words * sizeof(uint64_t));
    for (uint32_t i = 0; i < f->length; i++) {
        uint32_t n = read_number(records, record, f->at[i]);
        pieces[i] = class->pieces[i].keys[n];
        sum += n * f->at[i].factor;
        if (f != newest)
            key_flip(key->bits, newest->at[i], n);
    }
    key->format = newest;
    key->sum = sum;
}
