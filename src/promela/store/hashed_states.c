/* Hash compaction and bitstate hashing. See hashed_states.h.
 *
 * The table of hashes grows in place, by a quarter at a time, so that it never takes more than
 * 13 bytes per entry, not even while it grows. The value of a hash determines its place; it is
 * entered there or at the next free place, without wrapping around. So a run of taken slots
 * holds only hashes of these places. To grow, each run, from the last to the first, is taken
 * out and entered again: its places in the larger table lie where the run was, or after it. */
#include "promela/store/hashed_states.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_SLOTS 8192u
#define SMALL_TABLE (1u << 16) /* slots; up to there it doubles */
#define OVERHANG    4096u      /* slots behind the last place */
#define LEAST_BITS  (1u << 19)
#define HUGE_PAGE   (2u << 20) /* in bytes */

struct fingerprints {
    uint64_t *words;
    size_t reserved; /* bytes */
    uint64_t count;
    uint64_t places; /* slots, without the overhang, or bits */
    size_t limit;
    bool bits, full;
    double missed;
    uint64_t bits_set;
};

static inline uint64_t rotate_left(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline uint64_t finish_hash(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 32);
}

struct fingerprint fingerprint(const uint8_t *vector, uint32_t size)
{
    const uint64_t *words = (const uint64_t *)vector;
    uint64_t a = 0x9e3779b97f4a7c15u ^ size, b = 0xc2b2ae3d27d4eb4fu;
    for (uint32_t i = 0; i < (size + 7) / 8; i++) {
        a = rotate_left(a ^ words[i], 29) * 0x9fb21c651e98df25u;
        b = rotate_left(b + words[i], 33) * 0xff51afd7ed558ccdu;
    }
    return (struct fingerprint){finish_hash(a) ^ rotate_left(b, 17), finish_hash(b)};
}

static struct fingerprint version_of(struct fingerprint print, uint32_t version)
{
    if (version == 0)
        return print;
    uint64_t salt = finish_hash(version * 0x9e3779b97f4a7c15u);
    return (struct fingerprint){finish_hash(print.first ^ salt),
                                finish_hash(print.second + salt)};
}

/* Order of hashes is order in the table. */
static inline uint64_t home_slot(const struct fingerprints *f, uint64_t hash)
{
    return (uint64_t)(((unsigned __int128)hash * f->places) >> 64);
}

static size_t table_bytes(uint64_t slots)
{
    return (slots + OVERHANG) * sizeof(uint64_t);
}

struct fingerprints *fingerprints_create(bool bits, size_t memory)
{
    struct fingerprints *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->bits = bits;
    f->limit = memory;
    f->places = bits ? (uint64_t)memory / 8 * 64 : FIRST_SLOTS;
    if (bits && f->places < LEAST_BITS)
        f->places = LEAST_BITS;
    f->reserved = bits ? f->places / 8 : memory + table_bytes(FIRST_SLOTS);
    f->words = mmap(NULL, f->reserved, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f->words == MAP_FAILED) {
        free(f);
        return NULL;
    }
    if (f->reserved > HUGE_PAGE)
        madvise((uint8_t *)f->words + HUGE_PAGE, f->reserved - HUGE_PAGE, MADV_HUGEPAGE);
    return f;
}

void fingerprints_free(struct fingerprints *f)
{
    if (f)
        munmap(f->words, f->reserved);
    free(f);
}

static bool set_bit(struct fingerprints *f, uint64_t at)
{
    uint64_t *word = &f->words[at / 64], bit = (uint64_t)1 << (at % 64);
    bool fresh = !(*word & bit);
    *word |= bit;
    f->bits_set += fresh;
    return fresh;
}

/* The slot of the hash, or the free slot for it. */
static uint64_t find_slot(const struct fingerprints *f, uint64_t hash)
{
    uint64_t at = home_slot(f, hash);
    while (f->words[at] != 0 && f->words[at] != hash)
        at++;
    return at;
}

/* Enter the run of slots [from, to) again, in the larger table. */
static void enter_again(struct fingerprints *f, uint64_t from, uint64_t to, uint64_t *copy)
{
    memcpy(copy, f->words + from, (to - from) * sizeof *copy);
    memset(f->words + from, 0, (to - from) * sizeof *copy);
    for (uint64_t i = 0; i < to - from; i++)
        f->words[find_slot(f, copy[i])] = copy[i];
}

static uint64_t longest_run(const struct fingerprints *f)
{
    uint64_t longest = 0, run = 0;
    for (uint64_t i = 0; i < f->places + OVERHANG; i++) {
        run = f->words[i] != 0 ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void grow_table(struct fingerprints *f)
{
    uint64_t before = f->places,
             larger = before < SMALL_TABLE ? 2 * before : before + before / 4;
    uint64_t *copy =
        table_bytes(larger) <= f->limit ? malloc(longest_run(f) * sizeof *copy) : NULL;
    if (!copy) {
        f->full = true;
        return;
    }
    f->places = larger;
    for (uint64_t to = before + OVERHANG, from; to > 0; to = from) {
        while (to > 0 && f->words[to - 1] == 0)
            to--;
        from = to;
        while (from > 0 && f->words[from - 1] != 0)
            from--;
        if (to > from)
            enter_again(f, from, to, copy);
    }
    free(copy);
}

bool fingerprints_add(struct fingerprints *f, struct fingerprint print, uint32_t version)
{
    print = version_of(print, version);
    uint64_t hash = print.first;
    if (f->bits) {
        double load = (double)f->bits_set / (double)f->places;
        bool fresh = set_bit(f, home_slot(f, hash));
        fresh |= set_bit(f, home_slot(f, print.second));
        fresh |= set_bit(f, home_slot(f, hash + rotate_left(print.second, 21)));
        if (fresh)
            f->missed += load * load * load;
        return fresh;
    }
    if (hash == 0)
        hash = 1; /* zero marks an empty slot */
    uint64_t at = find_slot(f, hash);
    if (f->words[at] == hash)
        return false;
    if (f->full) /* no more entries: one slot must stay empty */
        return true;
    f->words[at] = hash;
    f->missed += (double)f->count / 18446744073709551616.0;
    if (++f->count * 5 > f->places * 4)
        grow_table(f);
    if (at + 2 >= f->places + OVERHANG)
        f->full = true;
    return true;
}

static bool get_bit(const struct fingerprints *f, uint64_t at)
{
    return f->words[at / 64] >> (at % 64) & 1;
}

bool fingerprints_has(const struct fingerprints *f, struct fingerprint print, uint32_t version)
{
    print = version_of(print, version);
    uint64_t hash = print.first;
    if (f->bits)
        return get_bit(f, home_slot(f, hash)) && get_bit(f, home_slot(f, print.second)) &&
               get_bit(f, home_slot(f, hash + rotate_left(print.second, 21)));
    hash = hash == 0 ? 1 : hash;
    return f->words[find_slot(f, hash)] == hash;
}

size_t fingerprints_bytes(const struct fingerprints *f)
{
    return f->bits ? f->places / 8 : table_bytes(f->places);
}

bool fingerprints_full(const struct fingerprints *f)
{
    return f->full;
}

double fingerprints_missed(const struct fingerprints *f)
{
    return f->missed;
}
