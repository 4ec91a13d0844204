/* How many different 128-bit hashes were seen: exactly up to DISTINCT_EXACT of them, then as an
 * estimate. Memory is constant, since a search may run for hours. */
#ifndef MAZUR_EXPLORE_DISTINCT_H
#define MAZUR_EXPLORE_DISTINCT_H

#include "base/hash.h"
#include "base/table.h"

#define DISTINCT_EXACT     (3u << 19) /* entries of 16 bytes: three quarters of 32 MB */
#define DISTINCT_REGISTERS (1u << 14) /* standard error of the estimate: 1.04 / 2^7 = 0.8 % */

struct distinct {
    struct table seen;
    uint32_t limit;
    bool exact;
    uint64_t count;
    double harmonic; /* Σ 2^-register */
    uint32_t unused; /* registers still zero */
    uint8_t *registers;
};

void distinct_init(struct distinct *distinct, struct pool *pool, uint32_t limit);
/* True when the hash was new; once the table is full: when it may have been. */
bool distinct_add(struct distinct *distinct, struct hash128 hash);

#endif
