/* Counting distinct hashes (distinct.h): a set, and beside it a HyperLogLog sketch (Flajolet et
 * al., AofA 2007), which is fed from the start and takes over when the set is full.
 *
 * Invariant: `harmonic` is the sum of 2^-register over all registers, kept incrementally so
 * that adding is O(1). */
#include "explore/world/distinct.h"

#include <string.h>

void distinct_init(struct distinct *distinct, struct pool *pool, uint32_t limit)
{
    memset(distinct, 0, sizeof *distinct);
    table_init(&distinct->seen, pool, 0);
    distinct->limit = limit;
    distinct->exact = true;
    distinct->registers = pool_alloc(pool, DISTINCT_REGISTERS);
    distinct->harmonic = distinct->unused = DISTINCT_REGISTERS;
}

static double power_of_half(unsigned exponent)
{
    return 1.0 / (double)(UINT64_C(1) << exponent);
}

/* The rank of a hash is the position of the first one bit after the register number. */
static void sketch_add(struct distinct *distinct, uint64_t hash)
{
    uint8_t *reg = &distinct->registers[hash % DISTINCT_REGISTERS];
    uint64_t rest = hash / DISTINCT_REGISTERS;
    unsigned rank = rest ? (unsigned)__builtin_ctzll(rest) + 1 : 51;
    if (rank <= *reg)
        return;
    distinct->unused -= *reg == 0;
    distinct->harmonic += power_of_half(rank) - power_of_half(*reg);
    *reg = (uint8_t)rank;
}

/* The raw estimate; the small-range correction is not needed, since below DISTINCT_EXACT the
 * count is exact and far above it no register is empty. */
static uint64_t sketch_count(const struct distinct *distinct)
{
    const double m = DISTINCT_REGISTERS;
    const double alpha = 0.7213 / (1 + 1.079 / m);
    return (uint64_t)(alpha * m * m / distinct->harmonic);
}

bool distinct_add(struct distinct *distinct, struct hash128 hash)
{
    sketch_add(distinct, hash_mix(hash.low ^ hash.high));
    if (distinct->seen.count < distinct->limit) {
        bool fresh;
        table_put(&distinct->seen, hash.low, hash.high, &fresh);
        distinct->count += fresh;
        return fresh;
    }
    if (table_get(&distinct->seen, hash.low, hash.high))
        return false;
    distinct->exact = false;
    uint64_t estimate = sketch_count(distinct);
    if (estimate > distinct->count)
        distinct->count = estimate;
    return true;
}
