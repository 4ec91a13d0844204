/* See scout.h. */
#include "explore/search/scout.h"

#include "base/must.h"
#include "explore/search/strategies.h"

/* Small programs are over before the scout begins: their searches stay as short as they were.
 */
#define SCOUT_AFTER 1000 /* executions of the search */
/* One operation of so many is the scout's. A search that has not finished bound 0 has many
 * threads, and may never get to what needs a preemption. */
#define SHARE_AT_BOUND_0 4
#define SHARE_LATER      20
/* Longer than this many times the longest execution of the search: a thread that does not yield
 * keeps others from what it waits for. */
#define LONGER 2

/* A walk finds what needs many switches, priorities what needs few of them (pct.c) among many
 * threads. SCTBench's reorder_20 takes about 5,000 executions with each of these depths, its
 * twostage_20 about 400 with the greater ones; three of twelve increments lost among four
 * threads about 700 of the walk. */
static const struct {
    const struct strategy_ops *strategy;
    int pct_depth;
} walks[SCOUT_WALKS] = {
    {&strategy_random, 1}, {&strategy_pct, 2}, {&strategy_pct, 4}, {&strategy_pct, 8}};

static struct search *create_walk(struct strategy_context *context, uint32_t i)
{
    struct search_options options = context->options;
    strategy_copy(options.strategy, sizeof options.strategy, walks[i].strategy->name);
    options.pct_depth = walks[i].pct_depth;
    options.seed += i;
    options.bound = BOUND_NONE;
    options.first_bound = 0;
    options.delay = options.step_bound = options.fair = -1;
    options.execs = 0;
    options.keep_going = true;
    options.scouts = options.automatic = options.count_traces = options.was_cut = false;
    char error[64];
    struct search *walk = search_create(context->pool, &options, error, sizeof error);
    must(walk);
    return walk;
}

static bool is_due(const struct scout *scout, const struct strategy_context *context)
{
    const struct search_stats *stats = &context->stats;
    if (!context->options.scouts || stats->executions < SCOUT_AFTER)
        return false;
    uint64_t share = context->bound == 0 ? SHARE_AT_BOUND_0 : SHARE_LATER;
    return scout->steps * (share - 1) < stats->steps;
}

void scout_begin(struct scout *scout, struct strategy_context *context)
{
    scout->running = NULL;
    if (!is_due(scout, context))
        return;
    uint32_t i = scout->next++ % SCOUT_WALKS;
    if (!scout->walk[i])
        scout->walk[i] = create_walk(context, i);
    scout->running = scout->walk[i];
    search_begin(scout->running);
}

int scout_pick(struct scout *scout, const struct strategy_context *context,
               const struct position *pos)
{
    uint32_t most = context->stats.max_depth * LONGER;
    uint32_t limit = context->options.depth;
    if (pos->depth >= most || (limit && pos->depth + 1 >= limit))
        return PICK_PRUNE;
    return search_pick(scout->running, pos);
}

bool scout_end(struct scout *scout, struct strategy_context *context,
               const struct position *pos, enum outcome outcome)
{
    search_end(scout->running, pos, outcome);
    scout->steps += pos->depth;
    context->stats.sampled += outcome != OUTCOME_PRUNED && outcome != OUTCOME_ASSUME_FAILED;
    if (outcome < OUTCOME_FAILED)
        return true;
    context->stats.nfailures_seen++;
    return context->options.keep_going;
}
