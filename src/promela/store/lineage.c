/* Writing and reading of predecessors. See lineage.h. */
#include "promela/store/lineage.h"

#define FIRST_BITS 5u
#define FIRST_MORE (1u << FIRST_BITS)
#define NEXT_BITS  7u
#define NEXT_MORE  (1u << NEXT_BITS)

static uint32_t fold_sign(uint32_t distance)
{
    return distance << 1 ^ (0u - (distance >> 31));
}

static uint32_t unfold_sign(uint32_t folded)
{
    return folded >> 1 ^ (0u - (folded & 1));
}

void lineage_start_run(struct lineage *l, uint32_t parent)
{
    uint32_t rest = fold_sign(parent - l->parent), more = FIRST_MORE, bits = FIRST_BITS;
    l->last = l->length;
    l->run = 1;
    l->parent = parent;
    do {
        uint32_t low = rest & (more - 1);
        rest >>= bits;
        l->bytes[l->length++] = (uint8_t)(low | (rest != 0 ? more : 0));
        more = NEXT_MORE;
        bits = NEXT_BITS;
    } while (rest != 0);
}

uint32_t lineage_parent(const uint8_t *bytes, uint32_t first, uint32_t place)
{
    for (uint32_t parent = first, run;; place -= run) {
        uint32_t byte = *bytes++, folded = byte & (FIRST_MORE - 1);
        bool more = byte & FIRST_MORE;
        run = (byte >> LINEAGE_RUN_SHIFT) + 1;
        for (uint32_t shift = FIRST_BITS; more; shift += NEXT_BITS) {
            byte = *bytes++;
            folded |= (byte & (NEXT_MORE - 1)) << shift;
            more = byte & NEXT_MORE;
        }
        parent += unfold_sign(folded);
        if (place < run)
            return parent;
    }
}
