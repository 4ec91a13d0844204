/* Hash compaction and bitstate hashing. See fingerprint.h. */
#include "promela/fingerprint.h"

#include <stdlib.h>
#include <string.h>

struct fingerprints {
    u64 *words;
    u64 count;
    u64 mask; /* slots - 1, or bits - 1 */
    size_t limit;
    bool bits, full;
    double missed;
    u64 bits_set;
};

static inline u64 rotate(u64 x, int by)
{
    return x << by | x >> (64 - by);
}

static inline u64 finish(u64 x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 32);
}

struct print fingerprint(const u8 *vector, u32 size)
{
    const u64 *words = (const u64 *)vector;
    u64 a = 0x9e3779b97f4a7c15u ^ size, b = 0xc2b2ae3d27d4eb4fu;
    for (u32 i = 0; i < (size + 7) / 8; i++) {
        a = rotate(a ^ words[i], 29) * 0x9fb21c651e98df25u;
        b = rotate(b + words[i], 33) * 0xff51afd7ed558ccdu;
    }
    return (struct print){finish(a) ^ rotate(b, 17), finish(b)};
}

static struct print version_of(struct print print, u32 version)
{
    if (version == 0)
        return print;
    u64 salt = finish(version * 0x9e3779b97f4a7c15u);
    return (struct print){finish(print.first ^ salt), finish(print.second + salt)};
}

struct fingerprints *fingerprints_create(bool bits, size_t memory)
{
    struct fingerprints *f = calloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->bits = bits;
    f->limit = memory;
    size_t bytes = 1 << 16;
    while (bits && bytes * 2 <= memory)
        bytes *= 2;
    f->mask = (bits ? bytes * 8 : bytes / 8) - 1;
    f->words = calloc(1, bytes);
    if (f->words == NULL) {
        free(f);
        return NULL;
    }
    return f;
}

void fingerprints_free(struct fingerprints *f)
{
    if (f != NULL)
        free(f->words);
    free(f);
}

static bool set_bit(struct fingerprints *f, u64 at)
{
    u64 *word = &f->words[at / 64], bit = (u64)1 << (at % 64);
    bool fresh = !(*word & bit);
    *word |= bit;
    f->bits_set += fresh;
    return fresh;
}

static void grow(struct fingerprints *f)
{
    u64 slots = (f->mask + 1) * 2;
    u64 *words = (slots * 8 + (f->mask + 1) * 8 <= f->limit) ? calloc(slots, 8) : NULL;
    if (words == NULL) {
        f->full = true;
        return;
    }
    for (u64 i = 0; i <= f->mask; i++) {
        if (f->words[i] == 0)
            continue;
        u64 at = f->words[i] & (slots - 1);
        while (words[at] != 0)
            at = (at + 1) & (slots - 1);
        words[at] = f->words[i];
    }
    free(f->words);
    f->words = words;
    f->mask = slots - 1;
}

bool fingerprints_add(struct fingerprints *f, struct print print, u32 version)
{
    print = version_of(print, version);
    u64 hash = print.first;
    if (f->bits) {
        double load = (double)f->bits_set / (double)(f->mask + 1);
        bool fresh = set_bit(f, hash & f->mask);
        fresh |= set_bit(f, print.second & f->mask);
        fresh |= set_bit(f, (hash + rotate(print.second, 21)) & f->mask);
        if (fresh)
            f->missed += load * load * load;
        return fresh;
    }
    if (hash == 0)
        hash = 1; /* zero marks an empty slot */
    u64 at = hash & f->mask;
    for (; f->words[at] != 0; at = (at + 1) & f->mask)
        if (f->words[at] == hash)
            return false;
    if (f->full) /* nothing more is entered: an empty slot must stay */
        return true;
    f->words[at] = hash;
    f->missed += (double)f->count / 18446744073709551616.0;
    if (++f->count * 4 > (f->mask + 1) * 3)
        grow(f);
    return true;
}

static bool get_bit(const struct fingerprints *f, u64 at)
{
    return f->words[at / 64] >> (at % 64) & 1;
}

bool fingerprints_has(const struct fingerprints *f, struct print print, u32 version)
{
    print = version_of(print, version);
    u64 hash = print.first;
    if (f->bits)
        return get_bit(f, hash & f->mask) && get_bit(f, print.second & f->mask) &&
               get_bit(f, (hash + rotate(print.second, 21)) & f->mask);
    hash = hash == 0 ? 1 : hash;
    for (u64 at = hash & f->mask; f->words[at] != 0; at = (at + 1) & f->mask)
        if (f->words[at] == hash)
            return true;
    return false;
}

size_t fingerprints_bytes(const struct fingerprints *f)
{
    return f->bits ? (size_t)(f->mask + 1) / 8 : (size_t)(f->mask + 1) * 8;
}

bool fingerprints_full(const struct fingerprints *f)
{
    return f->full;
}

double fingerprints_missed(const struct fingerprints *f)
{
    return f->missed;
}
