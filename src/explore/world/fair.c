/* Which threads are within the fair bound (fair.h). */
#include "explore/world/fair.h"

void fair_begin(struct fair *fair)
{
    for (uint32_t i = 0; i < fair->yields.count; i++)
        fair->yields.item[i] = 0;
}

void fair_step(struct fair *fair, struct pool *pool, const struct position *pos)
{
    while (fair->yields.count < (uint32_t)pos->nthreads)
        *vector_add(pool, &fair->yields) = 0;
    if (pos->done && pos->done->flags & OP_YIELDS)
        fair->yields.item[pos->last]++;
}

threadset fair_exceeding(const struct fair *fair, const threadset *enabled, int bound)
{
    threadset unfair;
    threadset_clear(&unfair);
    uint32_t fewest = UINT32_MAX;
    for (int tid = threadset_next(enabled, 0); tid >= 0; tid = threadset_next(enabled, tid + 1))
        if (fair->yields.item[tid] < fewest)
            fewest = fair->yields.item[tid];
    for (int tid = threadset_next(enabled, 0); tid >= 0; tid = threadset_next(enabled, tid + 1))
        if (fair->yields.item[tid] - fewest > (uint32_t)bound)
            threadset_add(&unfair, tid);
    return unfair;
}

const struct position *fair_look(struct fair *fair, const struct position *pos, int bound,
                                 bool *left_out)
{
    threadset unfair = fair_exceeding(fair, &pos->enabled, bound);
    *left_out = threadset_next(&unfair, 0) >= 0;
    if (!*left_out)
        return pos;
    fair->view = *pos;
    fair->view.fingerprint = NULL;
    for (int i = 0; i < THREADSET_WORDS; i++)
        fair->view.enabled.word[i] &= ~unfair.word[i];
    return &fair->view;
}
