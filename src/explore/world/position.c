/* What strategies ask about a position (world.h). */
#include "base/hash.h"
#include "base/must.h"
#include "explore/world/world.h"

static uint64_t op_hash(const struct op *op)
{
    return ((uint64_t)op->kind << 48 ^ op->object[0]) * UINT64_C(0x9e3779b97f4a7c15);
}

/* At the start: the pending operations of all threads. An earlier frame hashed the rest. */
uint64_t position_situation(const struct position *pos)
{
    uint64_t hash = pos->enabled.word[0];
    for (int i = 1; i * 64 < pos->nthreads; i++)
        hash = hash_join(hash, pos->enabled.word[i]);
    if (pos->last >= 0)
        hash ^= op_hash(&pos->pending[pos->last]) >> 3;
    for (int tid = 0; pos->last < 0 && tid < pos->nthreads; tid++)
        hash = hash_join(hash, op_hash(&pos->pending[tid]));
    if (pos->done)
        hash += op_hash(pos->done) ^ pos->done->flags;
    return hash;
}

int position_alternative(const struct position *pos, uint32_t index)
{
    int start = pos->last < 0 ? 0 : pos->last;
    if (pos->last >= 0 && pos->pending[pos->last].flags & OP_YIELDS)
        start++;
    int tid = threadset_next(&pos->enabled, start);
    for (;;) {
        if (tid < 0)
            tid = threadset_next(&pos->enabled, 0);
        must(tid >= 0); /* strategies are not asked if no thread is enabled */
        if (index-- == 0)
            return tid;
        tid = threadset_next(&pos->enabled, tid + 1);
    }
}
