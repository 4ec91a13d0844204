/* random: a walk that picks uniformly among the enabled threads at every position, and
 * uniformly among data choices. Never claims coverage; ends by itself only when the program has
 * a single execution. */
#include "base/hash.h"
#include "explore/strategy/strategy.h"

struct strategy {
    struct strategy_context *context;
    uint64_t state;
    bool branched;
};

static struct strategy *random_create(struct strategy_context *context, char *error,
                                      unsigned long error_size)
{
    (void)error;
    (void)error_size;
    struct strategy *walk = pool_alloc(context->pool, sizeof *walk);
    walk->context = context;
    walk->state = context->options.seed;
    return walk;
}

static void random_begin(struct strategy *walk)
{
    walk->branched = false;
}

static int random_pick(struct strategy *walk, const struct position *pos)
{
    int enabled = threadset_count(&pos->enabled);
    int skip = 0;
    if (enabled > 1) {
        walk->branched = true;
        skip = (int)random_below(&walk->state, (uint64_t)enabled);
    }
    int tid = threadset_next(&pos->enabled, 0);
    while (skip-- > 0)
        tid = threadset_next(&pos->enabled, tid + 1);
    return tid;
}

static int random_choose(struct strategy *walk, int n)
{
    walk->branched |= n > 1;
    return (int)random_below(&walk->state, (uint64_t)n);
}

static enum verdict random_end(struct strategy *walk, const struct position *pos,
                               enum outcome outcome)
{
    (void)pos;
    (void)outcome;
    return walk->branched ? STRATEGY_MORE : STRATEGY_DONE;
}

const struct strategy_ops strategy_random = {
    .name = "random",
    .traits =
        STRATEGY_TAKES_SYMMETRIC | STRATEGY_SAMPLES | STRATEGY_TAKES_SEED | STRATEGY_TAKES_FAIR,
    .help = "samples: a random thread at each step",
    .create = random_create,
    .begin = random_begin,
    .pick = random_pick,
    .choose = random_choose,
    .end = random_end,
};
