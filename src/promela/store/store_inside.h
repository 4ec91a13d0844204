/* What store.c (chunks, the hash table) and store_key.c (pieces, formats, keys) share.
 *
 *      key      | sum for the hash | format | packed numbers … | 0 |       in 64-bit words
 *
 * A key is a state as the store sees it: the numbers of its pieces, packed as in a record of
 * its format. So a state is compared with a record of the same format word by word, and written
 * by copying; and the key of a successor is that of its predecessor with some bits replaced.
 * The sum adds up each number times the factor of its position, and is updated in the same way.
 *
 * Invariants: bits of a key that belong to no position are zero, one word of them follows the
 * packed numbers. Formats of a class only become wider. */
#ifndef MAZUR_PROMELA_STORE_INSIDE_H
#define MAZUR_PROMELA_STORE_INSIDE_H

#include <string.h>

#include "base/hash.h"
#include "promela/store/lineage.h"
#include "promela/store/pieces.h"
#include "promela/store/store.h"

struct piece_position {
    uint32_t mask;   /* (1 << bits) - 1 */
    uint32_t bit;    /* where it starts */
    uint64_t factor; /* of its number in the sum */
};

/* How the numbers of a state are packed. */
struct format {
    struct format *next; /* list of all, to be freed */
    struct class *owner;
    uint32_t class;
    uint32_t length; /* positions */
    uint32_t bits;   /* of a record */
    uint32_t stride; /* from one record to the next: with the search's own bits */
    uint32_t words;  /* of the packed numbers in a key, with the one behind */
    struct piece_position at[];
};

/* Vectors of one length. */
struct class
{
    uint32_t length;                 /* positions */
    _Atomic(struct format *) format; /* the newest; changed under `change` */
    struct pieces pieces[];
};

/* Extra bytes, then the records, each right behind the bits of the one before, and behind those
 * that are the search's own. */
struct store_chunk {
    const struct format *format;
    uint8_t *records;
    const uint8_t *lineage; /* or NULL */
    uint32_t used;          /* while it is open, its writer knows better */
};

struct open_chunk {
    const struct format *format; /* NULL: none yet */
    uint8_t *records;
    uint32_t first, used; /* number of its first state, how many it has */
    struct lineage lineage;
};

struct store_writer {
    struct store *store;
    struct open_chunk open[STORE_CLASSES];
    atomic_uint unsaid; /* states added since the others were told; read by whoever reports */
    uint32_t *numbers;  /* of one state, while it is being packed */
};

struct store {
    struct crew *crew;
    uint32_t extra;
    uint32_t own_bits; /* of the search, behind each record */
    bool parents;      /* are kept */
    _Atomic(struct class *) class[STORE_CLASSES];
    struct store_chunk *chunks;
    uint8_t *arena; /* reserved: pages come as they are touched */
    size_t arena_size;
    _Atomic uint32_t *slots;
    uint64_t slot_count;
    uint32_t number_bits; /* low bits of a slot: number + 1 */
    uint32_t generation;  /* how often the table was replaced */
    atomic_bool full;
    size_t memory;       /* for the store and what the search takes beside it */
    atomic_size_t limit; /* for the store */
    struct format *formats;
    struct store_writer **writers;
    int writer_count;
    pthread_mutex_t change;
    char apart[64]; /* keeps what all workers write out of the cache lines that all read */
    atomic_ullong count;
    atomic_size_t bytes;
    atomic_size_t arena_used;
    atomic_uint chunk_count;
};

/* The head of a key. */
struct key {
    uint64_t sum;
    const struct format *format; /* NULL: there was no memory */
    uint64_t bits[];
};
#define KEY_HEAD 2u /* its words */

static inline struct key *key_at(uint64_t *words)
{
    return (struct key *)words;
}

static inline const struct key *key_in(const uint64_t *words)
{
    return (const struct key *)words;
}

#define SLACK 16 /* bytes behind a chunk's records that reading and writing may touch */

/* A read may reach into the next record, which its worker may be writing; those bits are masked
 * off or shifted out. Writing a record rewrites the last bits of the previous record unchanged.
 * Race detectors can't know that this is harmless. */
__attribute__((no_sanitize("thread"))) static inline uint64_t read_word(const uint8_t *from)
{
    uint64_t word;
    memcpy(&word, from, sizeof word); /* little endian; see SLACK */
    return word;
}

/* 64 bits, from any bit on. */
__attribute__((no_sanitize("thread"))) static inline uint64_t read_bits(const uint8_t *packed,
                                                                        uint64_t bit)
{
    const uint8_t *at = packed + bit / 8;
    return read_word(at) >> bit % 8 | (uint64_t)at[8] << 1 << (63 - bit % 8);
}

/* Of the record that starts at `record`. */
static inline uint32_t read_number(const uint8_t *packed, uint64_t record,
                                   struct piece_position p)
{
    uint64_t bit = record + p.bit;
    return (uint32_t)(read_word(packed + bit / 8) >> bit % 8) & p.mask;
}

/* Where the record of a state starts in its chunk, in bits. */
static inline uint64_t record_of(const struct format *f, uint32_t number)
{
    return (uint64_t)(number % STORE_CHUNK) * f->stride;
}

/* The same in a key, by whole words only: they were just written as such. */
static inline uint32_t key_number(const uint64_t *bits, struct piece_position p)
{
    const uint64_t *word = &bits[p.bit / 64];
    return (uint32_t)(word[0] >> p.bit % 64 | word[1] << 1 << (63 - p.bit % 64)) & p.mask;
}

static inline void key_flip(uint64_t *bits, struct piece_position p, uint32_t difference)
{
    uint64_t *word = &bits[p.bit / 64];
    word[0] ^= (uint64_t)difference << p.bit % 64;
    word[1] ^= (uint64_t)difference >> 1 >> (63 - p.bit % 64);
}

/* Numbers are small, so some states may have the same sum, but hardly ever: each position has
 * a factor of 64 bits. */
static inline uint64_t position_factor(uint32_t position)
{
    return hash_mix(position + 1) | 1;
}

static inline uint64_t hash_sum(const struct format *f, uint64_t sum)
{
    return hash_mix(sum ^ f->class);
}

void store_set_full(struct store *store);
/* All numbers of a key. */
void store_unpack(const struct key *key, uint32_t *numbers);
/* The newest format of that class, which such a state fits. NULL: no memory. */
const struct format *store_format(struct store *store, struct class *class, uint32_t number,
                                  const uint32_t *numbers);
bool store_fits(const struct format *format, const uint32_t *numbers);
/* Writes a record from that bit on. The bits before it stay; up to a byte after it is
 * overwritten. */
void store_pack(const struct format *format, const uint32_t *numbers, uint8_t *to,
                uint64_t bit);

#endif
