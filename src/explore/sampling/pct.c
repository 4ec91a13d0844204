/* pct: probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010).
 *
 * Threads get random distinct priorities when they are first seen; the enabled thread of
 * highest priority runs. At depth - 1 random steps the thread about to run drops below all
 * others. A bug of depth d among n threads and k steps shows with probability at least
 * 1 / (n k^(d-1)) per execution. k is the longest execution seen so far. A thread that yields
 * drops as well, or it would starve the thread that it waits for. Never claims coverage.
 *
 * Invariant: initial priorities have the top bit set; dropped ones count down below it. */
#include <string.h>

#include "base/hash.h"
#include "base/vector.h"
#include "explore/strategy/strategy.h"

#define INITIAL    (UINT64_C(1) << 63)
#define UNASSIGNED 0

struct strategy {
    struct strategy_context *context;
    uint64_t state;
    uint64_t lowest;                /* priority of the last thread that was dropped */
    VECTOR(uint64_t) priority;      /* by thread, UNASSIGNED before it is seen */
    VECTOR(uint32_t) change_points; /* steps at which the running thread drops */
    bool branched;
};

static struct strategy *pct_create(struct strategy_context *context, char *error,
                                   unsigned long error_size)
{
    if (context->options.pct_depth < 1 || context->options.pct_depth > 1000) {
        strategy_copy(error, error_size, "strategy pct takes a depth from 1 to 1000");
        return NULL;
    }
    struct strategy *pct = pool_alloc(context->pool, sizeof *pct);
    pct->context = context;
    pct->state = context->options.seed;
    vector_reserve(context->pool, &pct->change_points, (uint32_t)context->options.pct_depth);
    return pct;
}

static void pct_begin(struct strategy *pct)
{
    if (pct->priority.count)
        memset(pct->priority.item, 0, pct->priority.count * sizeof *pct->priority.item);
    pct->lowest = INITIAL;
    pct->branched = false;
    pct->change_points.count = (uint32_t)pct->context->options.pct_depth - 1;
    uint32_t steps = pct->context->stats.max_depth;
    for (uint32_t i = 0; i < pct->change_points.count; i++)
        pct->change_points.item[i] = (uint32_t)random_below(&pct->state, steps ? steps : 1);
}

static int highest_thread(struct strategy *pct, const struct position *pos)
{
    int best = -1;
    for (int tid = threadset_next(&pos->enabled, 0); tid >= 0;
         tid = threadset_next(&pos->enabled, tid + 1)) {
        while (pct->priority.count <= (uint32_t)tid)
            *vector_add(pct->context->pool, &pct->priority) = UNASSIGNED;
        uint64_t *priority = &pct->priority.item[tid];
        if (*priority == UNASSIGNED)
            *priority = random_next(&pct->state) | INITIAL;
        pct->branched |= best >= 0;
        if (best < 0 || *priority > pct->priority.item[best])
            best = tid;
    }
    return best;
}

static int pct_pick(struct strategy *pct, const struct position *pos)
{
    int tid = highest_thread(pct, pos);
    bool drop = tid >= 0 && pos->pending[tid].flags & OP_YIELDS;
    for (uint32_t i = 0; i < pct->change_points.count; i++)
        drop |= pct->change_points.item[i] == pos->depth;
    if (!drop || tid < 0)
        return tid;
    pct->priority.item[tid] = --pct->lowest;
    return highest_thread(pct, pos);
}

static int pct_choose(struct strategy *pct, int n)
{
    pct->branched |= n > 1;
    return (int)random_below(&pct->state, (uint64_t)n);
}

static enum verdict pct_end(struct strategy *pct, const struct position *pos,
                            enum outcome outcome)
{
    (void)pos;
    (void)outcome;
    return pct->branched ? STRATEGY_MORE : STRATEGY_DONE;
}

const struct strategy_ops strategy_pct = {
    .name = "pct",
    .traits = STRATEGY_TAKES_SYMMETRIC | STRATEGY_SAMPLES | STRATEGY_TAKES_SEED |
              STRATEGY_TAKES_PCT_DEPTH,
    .help = "samples: random priorities with few changes",
    .create = pct_create,
    .begin = pct_begin,
    .pick = pct_pick,
    .choose = pct_choose,
    .end = pct_end,
};
