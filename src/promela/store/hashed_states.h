/* Visited states by their hashes: --store compact and --store bitstate.
 *
 * Compact keeps 64 bits per entry: the probability that two of n entries are confused is about
 * n * n / 2^65, or 1 in 3,700 for a hundred million. Bitstate keeps three bits in a fixed array
 * and reports how full it is. Neither can return a state, and neither claims that a search was
 * complete: a state may have been missed.
 *
 * An entry is a vector and a number, so that one vector can be entered in several versions
 * (paper 001, section 3.2: one per count of preemptions). */
#ifndef MAZUR_PROMELA_FINGERPRINT_H
#define MAZUR_PROMELA_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fingerprints;

/* The two hashes of a vector, from which those of its versions follow. */
struct fingerprint {
    uint64_t first, second;
};

/* `bits`: bitstate, in an array of `memory` bytes; else a growing table of at most that size.
 */
struct fingerprints *fingerprints_create(bool bits, size_t memory);
void fingerprints_free(struct fingerprints *f);
struct fingerprint fingerprint(const uint8_t *vector, uint32_t size);
/* True if this version was not met before (as far as can be told). */
bool fingerprints_add(struct fingerprints *f, struct fingerprint print, uint32_t version);
bool fingerprints_has(const struct fingerprints *f, struct fingerprint print, uint32_t version);
size_t fingerprints_bytes(const struct fingerprints *f);
bool fingerprints_full(const struct fingerprints *f);
/* Expected number of entries that were mistaken for others, from the size of the tables and
 * their load. */
double fingerprints_missed(const struct fingerprints *f);

#endif
