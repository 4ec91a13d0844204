/* Writing and reading of predecessors. See lineage.h. */
#include "promela/store/lineage.h"

#define FIRST_BITS 5u
#define FIRST_MORE (1u << FIRST_BITS)
#define NEXT_BITS  7u
#define NEXT_MORE  (1u << NEXT_BITS)

static u32 fold(u32 distance)
{
    return distance << 1 ^ (0u - (distance >> 31));
}

static u32 unfold(u32 folded)
{
    return folded >> 1 ^ (0u - (folded & 1));
}

void lineage_start_run(struct lineage *l, u32 parent)
{
    u32 rest = fold(parent - l->parent), more = FIRST_MORE, bits = FIRST_BITS;
    l->last = l->length;
    l->run = 1;
    l->parent = parent;
    do {
        u32 low = rest & (more - 1);
        rest >>= bits;
        l->bytes[l->length++] = (u8)(low | (rest != 0 ? more : 0));
        more = NEXT_MORE;
        bits = NEXT_BITS;
    } while (rest != 0);
}

u32 lineage_parent(const u8 *bytes, u32 first, u32 place)
{
    for (u32 parent = first, run;; place -= run) {
        u32 byte = *bytes++, folded = byte & (FIRST_MORE - 1);
        bool more = byte & FIRST_MORE;
        run = (byte >> LINEAGE_RUN_SHIFT) + 1;
        for (u32 shift = FIRST_BITS; more; shift += NEXT_BITS) {
            byte = *bytes++;
            folded |= (byte & (NEXT_MORE - 1)) << shift;
            more = byte & NEXT_MORE;
        }
        parent += unfold(folded);
        if (place < run)
            return parent;
    }
}
