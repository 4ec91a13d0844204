/* replay: one execution along a given schedule, then without preemptions: the last thread as
 * long as it can continue, else the next one in cyclic order.
 *
 * The schedule is the board's: thread slots and SCHEDULE_CHOICE | value, in the order in which
 * they were decided. If it can't be followed the execution has diverged; the strategy reports
 * that instead of running something else. */
#include "explore/search/replay.h"

#include <string.h>

struct strategy {
    struct strategy_context *context;
    uint32_t *schedule;
    uint32_t count;
    uint32_t cursor;
    bool diverged;
};

static struct strategy *replay_create(struct strategy_context *context, char *error,
                                      unsigned long error_size)
{
    (void)error;
    (void)error_size;
    struct strategy *replay = pool_alloc(context->pool, sizeof *replay);
    replay->context = context;
    return replay;
}

void replay_load(struct strategy *replay, const uint32_t *schedule, uint32_t n)
{
    replay->schedule = pool_alloc(replay->context->pool, (n + 1) * sizeof *schedule);
    memcpy(replay->schedule, schedule, n * sizeof *schedule);
    replay->count = n;
}

static void replay_begin(struct strategy *replay)
{
    replay->cursor = 0;
    replay->diverged = false;
}

static int replay_pick(struct strategy *replay, const struct position *pos)
{
    if (replay->diverged)
        return PICK_DIVERGED;
    if (replay->cursor == replay->count)
        return position_alternative(pos, 0);
    uint32_t tid = replay->schedule[replay->cursor++];
    if (tid >= (uint32_t)pos->nthreads || !threadset_has(&pos->enabled, (int)tid)) {
        replay->diverged = true;
        return PICK_DIVERGED;
    }
    return (int)tid;
}

static int replay_choose(struct strategy *replay, int n)
{
    if (replay->diverged || replay->cursor == replay->count)
        return 0;
    uint32_t entry = replay->schedule[replay->cursor++];
    uint32_t value = entry & ~SCHEDULE_CHOICE;
    if (!(entry & SCHEDULE_CHOICE) || value >= (uint32_t)n) {
        replay->diverged = true;
        return 0;
    }
    return (int)value;
}

static enum verdict replay_end(struct strategy *replay, const struct position *pos,
                               enum outcome outcome)
{
    (void)pos;
    (void)outcome;
    replay->context->stats.diverged |= replay->diverged;
    return STRATEGY_DONE;
}

const struct strategy_ops strategy_replay = {
    .name = "replay",
    .traits = STRATEGY_SAMPLES | STRATEGY_REPLAYS,
    .create = replay_create,
    .begin = replay_begin,
    .pick = replay_pick,
    .choose = replay_choose,
    .end = replay_end,
};
