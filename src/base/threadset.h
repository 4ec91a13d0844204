/* A set of threads: a fixed bit set, one bit per thread slot.
 *
 * Why fixed: sets are copied and compared in the inner loop of every strategy; 64 bytes are
 * one cache line and need no allocation. Invariant: bits at or above THREADS_MAX are zero. */
#ifndef MAZUR_BASE_THREADSET_H
#define MAZUR_BASE_THREADSET_H

#include <stdbool.h>
#include <stdint.h>

#define THREADS_MAX     512 /* slots in one search; the program may start THREADS_MAX - 1 */
#define THREADSET_WORDS (THREADS_MAX / 64)

typedef struct threadset {
    uint64_t word[THREADSET_WORDS];
} threadset;

static inline void threadset_clear(threadset *set)
{
    for (int i = 0; i < THREADSET_WORDS; i++)
        set->word[i] = 0;
}

static inline void threadset_add(threadset *set, int tid)
{
    set->word[tid >> 6] |= UINT64_C(1) << (tid & 63);
}

static inline void threadset_remove(threadset *set, int tid)
{
    set->word[tid >> 6] &= ~(UINT64_C(1) << (tid & 63));
}

static inline bool threadset_has(const threadset *set, int tid)
{
    return (set->word[tid >> 6] >> (tid & 63)) & 1;
}

static inline bool threadset_empty(const threadset *set)
{
    uint64_t any = 0;
    for (int i = 0; i < THREADSET_WORDS; i++)
        any |= set->word[i];
    return any == 0;
}

static inline int threadset_count(const threadset *set)
{
    int count = 0;
    for (int i = 0; i < THREADSET_WORDS; i++)
        if (set->word[i]) /* mostly zero, and the count may be a call */
            count += __builtin_popcountll(set->word[i]);
    return count;
}

/* The first member at or above `from`, or -1. Iterate: for (t = next(s, 0); t >= 0; t = next(s,
 * t + 1)). */
static inline int threadset_next(const threadset *set, int from)
{
    if (from >= THREADS_MAX)
        return -1;
    int word = from >> 6;
    uint64_t bits = set->word[word] & (~UINT64_C(0) << (from & 63));
    while (bits == 0) {
        if (++word == THREADSET_WORDS)
            return -1;
        bits = set->word[word];
    }
    return word * 64 + __builtin_ctzll(bits);
}

static inline bool threadset_equal(const threadset *a, const threadset *b)
{
    uint64_t difference = 0;
    for (int i = 0; i < THREADSET_WORDS; i++)
        difference |= a->word[i] ^ b->word[i];
    return difference == 0;
}

#endif
