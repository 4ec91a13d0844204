/* What store.c (chunks, the hash table) and store_key.c (pieces, formats, keys) share.
 *
 *      key      | sum for the hash | format | packed numbers … | 0 |       in 64-bit words
 *
 * A key is a state as the store sees it: the numbers of its pieces, packed as its format says,
 * just as they lie in a record of that format. So a state is compared with a record of the same
 * format word by word, and written by copying; and the key of a successor is that of its
 * predecessor with some bits exchanged. The sum is over number times factor of the position,
 * and is changed in the same way.
 *
 * Invariants: bits of a key that belong to no position are zero, one word of them follows the
 * packed numbers. Formats of a class only become wider. */
#ifndef MAZUR_PROMELA_STORE_INSIDE_H
#define MAZUR_PROMELA_STORE_INSIDE_H

#include <string.h>

#include "promela/store/lineage.h"
#include "promela/store/pieces.h"
#include "promela/store/store.h"

struct position {
    u32 mask;   /* (1 << bits) - 1 */
    u32 bit;    /* where it starts */
    u64 factor; /* of its number in the sum */
};

/* How the numbers of a state are packed. */
struct format {
    struct format *next; /* list of all, to be freed */
    struct class *owner;
    u32 class;
    u32 length; /* positions */
    u32 bits;   /* of a record */
    u32 stride; /* from one record to the next: with the search's own bits */
    u32 words;  /* of the packed numbers in a key, with the one behind */
    struct position at[];
};

/* Vectors of one length. */
struct class
{
    u32 length;                      /* positions */
    _Atomic(struct format *) format; /* the newest; changed under `change` */
    struct pieces pieces[];
};

/* Extra bytes, then the records, each right behind the bits of the one before, and behind those
 * that are the search's own. */
struct chunk {
    const struct format *format;
    u8 *records;
    const u8 *lineage; /* or NULL */
    u32 used;          /* while it is open, its writer knows better */
};

struct open_chunk {
    const struct format *format; /* NULL: none yet */
    u8 *records;
    u32 first, used; /* number of its first state, how many it has */
    struct lineage lineage;
};

struct store_writer {
    struct store *store;
    struct open_chunk open[STORE_CLASSES];
    atomic_uint unsaid; /* states added since the others were told; read by whoever reports */
    u32 *numbers;       /* of one state, while it is being packed */
};

struct store {
    struct crew *crew;
    u32 extra;
    u32 own_bits; /* of the search, behind each record */
    bool parents; /* are kept */
    _Atomic(struct class *) class[STORE_CLASSES];
    struct chunk *chunks;
    u8 *arena; /* reserved: pages come as they are touched */
    size_t arena_size;
    _Atomic u32 *slots;
    u64 slot_count;
    u32 number_bits; /* low bits of a slot: number + 1 */
    u32 generation;  /* how often the table was replaced */
    atomic_bool full;
    size_t memory;       /* for the store and what the search takes beside it */
    atomic_size_t limit; /* for the store */
    struct format *formats;
    struct store_writer **writers;
    int writer_count;
    pthread_mutex_t change;
    char apart[64]; /* what all write is in no cache line with what all read */
    atomic_ullong count;
    atomic_size_t bytes;
    atomic_size_t arena_used;
    atomic_uint chunk_count;
};

/* The head of a key. */
struct key {
    u64 sum;
    const struct format *format; /* NULL: there was no memory */
    u64 bits[];
};
#define KEY_HEAD 2u /* its words */

static inline struct key *key_at(u64 *words)
{
    return (struct key *)words;
}

static inline const struct key *key_in(const u64 *words)
{
    return (const struct key *)words;
}

#define SLACK 16 /* bytes behind a chunk's records that reading and writing may touch */

/* What is read may reach into the next record, which its worker may be writing: those bits are
 * masked off, or shifted out. Writing it writes the last bits of the record before once more,
 * as they are. No race detector can know that. */
__attribute__((no_sanitize("thread"))) static inline u64 read_word(const u8 *from)
{
    u64 word;
    memcpy(&word, from, sizeof word); /* little endian; see SLACK */
    return word;
}

/* 64 bits, from any bit on. */
__attribute__((no_sanitize("thread"))) static inline u64 read_bits(const u8 *packed, u64 bit)
{
    const u8 *at = packed + bit / 8;
    return read_word(at) >> bit % 8 | (u64)at[8] << 1 << (63 - bit % 8);
}

/* Of the record that starts at `record`. */
static inline u32 read_number(const u8 *packed, u64 record, struct position p)
{
    u64 bit = record + p.bit;
    return (u32)(read_word(packed + bit / 8) >> bit % 8) & p.mask;
}

/* Where the record of a state starts in its chunk, in bits. */
static inline u64 record_of(const struct format *f, u32 number)
{
    return (u64)(number % STORE_CHUNK) * f->stride;
}

/* The same in a key, by whole words only: they were just written as such. */
static inline u32 key_number(const u64 *bits, struct position p)
{
    const u64 *word = &bits[p.bit / 64];
    return (u32)(word[0] >> p.bit % 64 | word[1] << 1 << (63 - p.bit % 64)) & p.mask;
}

static inline void key_flip(u64 *bits, struct position p, u32 difference)
{
    u64 *word = &bits[p.bit / 64];
    word[0] ^= (u64)difference << p.bit % 64;
    word[1] ^= (u64)difference >> 1 >> (63 - p.bit % 64);
}

/* Numbers are small, so some states may have the same sum, but hardly ever: each position has
 * a factor of 64 bits. */
static inline u64 position_factor(u32 position)
{
    return pieces_mix(position + 1) | 1;
}

static inline u64 hash_sum(const struct format *f, u64 sum)
{
    return pieces_mix(sum ^ f->class);
}

void store_set_full(struct store *store);
/* All numbers of a key. */
void store_unpack(const struct key *key, u32 *numbers);
/* The newest format of that class, which such a state fits. NULL: no memory. */
const struct format *store_format(struct store *store, struct class *class, u32 number,
                                  const u32 *numbers);
bool store_fits(const struct format *format, const u32 *numbers);
/* A record, from that bit on. What is before it stays, up to a byte behind it is written. */
void store_pack(const struct format *format, const u32 *numbers, u8 *to, u64 bit);

#endif
