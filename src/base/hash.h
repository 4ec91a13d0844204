/* Mixing of 64-bit words, and the one pseudo-random generator.
 *
 * hash_mix is the finaliser of SplitMix64 (Steele, Lea, Flood: OOPSLA 2014): a bijection, so
 * it loses nothing by itself; hash_join is order-dependent. */
#ifndef MAZUR_BASE_HASH_H
#define MAZUR_BASE_HASH_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t hash_mix(uint64_t word)
{
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

static inline uint64_t hash_join(uint64_t hash, uint64_t word)
{
    return hash_mix((hash ^ word) + UINT64_C(0x9e3779b97f4a7c15) + (hash << 1));
}

/* A word's slot in a table of 2^bits: the upper bits of a product with the golden ratio (Knuth:
 * TAOCP 3, 6.4). Cheaper than hash_mix, and enough for addresses and numbers. */
static inline uint32_t hash_slot(uint64_t word, uint32_t bits)
{
    return (uint32_t)((word * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits));
}

/* FNV-1a of a text. */
static inline uint64_t hash_of_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* A 128-bit hash as two lanes; if both are equal, what was hashed is assumed to be equal: n
 * values collide with probability below n^2 / 2^129. */
struct hash128 {
    uint64_t low;
    uint64_t high;
};

static inline bool hash128_equal(struct hash128 a, struct hash128 b)
{
    return a.low == b.low && a.high == b.high;
}

static inline void hash128_add(struct hash128 *sum, struct hash128 term)
{
    sum->low += term.low;
    sum->high += term.high;
}

static inline void hash128_subtract(struct hash128 *sum, struct hash128 term)
{
    sum->low -= term.low;
    sum->high -= term.high;
}

static inline void hash128_join(struct hash128 *hash, uint64_t word)
{
    hash->low = hash_join(hash->low, word);
    hash->high =
        hash_mix((hash->high + word) * UINT64_C(0xd6e8feb86659fd93) ^ (hash->high >> 7));
}

/* SplitMix64 as a generator: the state is any 64-bit seed. */
static inline uint64_t random_next(uint64_t *state)
{
    return hash_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Uniform in 0 … n-1 up to a bias of n / 2^64. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)random_next(state) * n) >> 64);
}

#endif
