/* The strategy `optimal` (optimal.h): the path, its sleep sets, and what is explored next.
 *
 * Invariant: frames [0, kept) have the same event as in the previous execution. The sleep set
 * of a frame is complete when its event is chosen; an event is put to sleep in its frame only
 * if an execution through it ran to its end, so that a branch that turned out to be impossible
 * covers nothing. */
#include "explore/optimal/optimal.h"

#include <string.h>

#include "base/hash.h"
#include "base/must.h"
#include "explore/strategy/hand_over.h"

struct strategy {
    struct optimal optimal;
    struct strategy *instead; /* auto_after_optimal, once the depth limit has cut an execution;
                                 else NULL */
};

static struct strategy *optimal_create(struct strategy_context *context, char *error,
                                       unsigned long error_size)
{
    if (context->options.bound >= 0) {
        strategy_copy(error, error_size,
                      "strategy optimal takes no --bound: use bpor or cbpor");
        return NULL;
    }
    struct strategy *strategy = pool_alloc(context->pool, sizeof *strategy);
    struct optimal *optimal = &strategy->optimal;
    optimal->context = context;
    clocks_init(&optimal->clocks, context->pool);
    early_ends_init(&optimal->early_ends, context->pool);
    optimal_choices_init(&optimal->choices, context->pool);
    table_init(&optimal->versions, context->pool, sizeof(uint32_t));
    vector_add(context->pool, &optimal->nodes);
    return strategy;
}

static void optimal_begin(struct strategy *strategy)
{
    if (strategy->instead)
        return auto_after_optimal->begin(strategy->instead);
    struct optimal *optimal = &strategy->optimal;
    optimal->cursor = 0;
    optimal->depth = 0;
    optimal->created = true; /* the threads that exist from the start */
    optimal->running = optimal->pruned = optimal->blocked = optimal->diverged = false;
    clocks_begin(&optimal->clocks, optimal->kept);
}

static bool optimal_mark(struct strategy *strategy, struct strategy_mark *mark)
{
    const struct optimal *optimal = &strategy->optimal;
    if (strategy->instead)
        return auto_after_optimal->mark(strategy->instead, mark);
    if (optimal->diverged || optimal->pruned || ordered_is_confined(optimal->leaf))
        return false;
    *mark = (struct strategy_mark){.cursor = optimal->cursor,
                                   .choices = optimal->choice,
                                   .depth = optimal->depth,
                                   .running = optimal->running};
    return true;
}

/* One event is being executed: it is in `clocks` when it has ended. */
static enum strategy_goes_on optimal_go_on(struct strategy *strategy,
                                           const struct strategy_mark *mark)
{
    struct optimal *optimal = &strategy->optimal;
    if (strategy->instead)
        return auto_after_optimal->go_on(strategy->instead, mark);
    if (mark->cursor > optimal->kept)
        return MARK_GONE;
    optimal->cursor = mark->cursor;
    optimal->choice = mark->choices;
    optimal->depth = mark->depth;
    optimal->running = mark->running;
    clocks_go_on(&optimal->clocks, mark->cursor - mark->running);
    return MARK_GOES_ON;
}

/* --- the event being executed --- */

static void start_event(struct optimal *optimal)
{
    optimal->running = true;
    optimal->choice = 0;
    optimal->op = (struct op){.kind = OP_CHOOSE}; /* until the operation is known */
}

/* Adds the step that the world has executed since the last look. */
static void absorb_step(struct optimal *optimal, const struct position *pos)
{
    if (!optimal->running || pos->depth == optimal->depth || !pos->done)
        return;
    optimal->depth = pos->depth;
    optimal->created |= !op_has(pos->done, OP_CHILDLESS);
    optimal->op = *pos->done;
}

static struct optimal_steps *steps_of(struct optimal *optimal, uint32_t tid)
{
    while (optimal->threads.count <= tid)
        memset(vector_add(optimal->context->pool, &optimal->threads), 0,
               sizeof(struct optimal_steps));
    return &optimal->threads.item[tid];
}

/* An event that is moved to another place stays the same, since everything that it depends on
 * is there. If not, the program is not deterministic, or has dependences that its operations do
 * not show. */
static bool is_as_foreseen(const struct optimal_event *foreseen, const struct op *op)
{
    const struct op *before = &foreseen->op;
    if (before->kind == OP_NONE || foreseen->vague)
        return true;
    return before->kind == op->kind && before->object[0] == op->object[0];
}

/* The event of a frame that is new on the path is known now. */
static void settle_event(struct optimal *optimal, uint32_t step)
{
    struct optimal_frame *frame = optimal_frame(optimal, step);
    struct pool *pool = optimal->context->pool;
    if (!is_as_foreseen(&frame->event, &optimal->op))
        strategy_raise_unseen(optimal->context);
    frame->was_vague = frame->event.vague;
    frame->event.op = optimal->op;
    if ((frame->section || optimal->ends_early) &&
        optimal->choice) /* what it depends on may differ between choices */
        frame->event.op.flags |= OP_GLOBAL;
    frame->event.choice = optimal->choice;
    frame->event.vague = false;
    const struct op *op = &frame->event.op;
    for (int i = 0; i < op->nobjects; i++) {
        const uint32_t *version = table_get(&optimal->versions, op->object[i], 0);
        frame->version[i] = version ? *version : 0;
    }
    frame->global = optimal->global;
    struct optimal_steps *steps = steps_of(optimal, frame->event.tid);
    frame->previous = steps->step.count ? steps->step.item[steps->step.count - 1] : 0;
    optimal_note_races(optimal, step);
    for (int i = 0; i < op->nobjects; i++)
        if (op_writes(op, i))
            *(uint32_t *)table_put(&optimal->versions, op->object[i], 0, NULL) = step;
    if (op->flags & OP_GLOBAL)
        optimal->global = step;
    *vector_add(pool, &steps->step) = step;
    frame->wakes_all =
        early_ends_has(&optimal->early_ends, frame->event.tid, steps->step.count);
}

/* Undoes what settle_event noted on the path. */
static void forget_event(struct optimal *optimal, uint32_t step)
{
    const struct optimal_frame *frame = optimal_frame(optimal, step);
    const struct op *op = &frame->event.op;
    for (int i = 0; i < op->nobjects; i++)
        if (op_writes(op, i))
            *(uint32_t *)table_put(&optimal->versions, op->object[i], 0, NULL) =
                frame->version[i];
    optimal->global = frame->global;
    must(optimal->threads.item[frame->event.tid].step.count > 0);
    optimal->threads.item[frame->event.tid].step.count--;
    optimal->races.count = frame->race;
}

static void finish_event(struct optimal *optimal)
{
    if (!optimal->running)
        return;
    uint32_t step = optimal->cursor;
    struct optimal_frame *frame = optimal_frame(optimal, step);
    if (!clocks_is_born(&optimal->clocks, (int)frame->event.tid))
        clocks_born(&optimal->clocks, (int)frame->event.tid);
    if (step > optimal->kept)
        settle_event(optimal, step);
    clocks_step(&optimal->clocks, (int)frame->event.tid, &frame->event.op);
    optimal->running = false;
}

static void note_births(struct optimal *optimal, const struct position *pos)
{
    if (!optimal->created)
        return;
    optimal->created = false;
    for (int tid = 0; tid < pos->nthreads; tid++)
        if (pos->pending[tid].kind != OP_NONE && !clocks_is_born(&optimal->clocks, tid))
            clocks_born(&optimal->clocks, tid);
}

/* --- frames --- */

/* What sleeps after the previous frame's event: everything that is independent of it. */
static void inherit_sleep(struct optimal *optimal, uint32_t index)
{
    struct optimal_frame *frame = &optimal->frames.item[index];
    frame->sleep = optimal->sleep.count;
    if (index == 0 || frame[-1].wakes_all)
        return;
    const struct optimal_event *event = &frame[-1].event;
    for (uint32_t i = frame[-1].sleep; i < frame->sleep; i++) {
        struct optimal_event sleeper = optimal->sleep.item[i];
        if (sleeper.tid == event->tid)
            continue;
        if (!op_dependent(&sleeper.op, &event->op))
            *vector_add(optimal->context->pool, &optimal->sleep) = sleeper;
    }
}

static struct optimal_frame *new_frame(struct optimal *optimal, uint32_t situation)
{
    struct optimal_frame *frame = vector_add(optimal->context->pool, &optimal->frames);
    uint32_t index = optimal->frames.count - 1;
    memset(frame, 0, sizeof *frame);
    frame->situation = situation;
    frame->race = optimal->races.count;
    inherit_sleep(optimal, index);
    if (index > 0) {
        frame->tree = frame[-1].below;
        frame->end = frame[-1].below_end;
        frame[-1].below = 0;
    }
    return frame;
}

static bool sleeps_here(const struct optimal *optimal, const struct optimal_frame *frame,
                        int tid)
{
    for (uint32_t i = frame->sleep; i < optimal->sleep.count; i++)
        if (optimal->sleep.item[i].tid == (uint32_t)tid)
            return true;
    return false;
}

/* Does something sleep that this search has explored? */
static bool sleeps_itself(const struct optimal *optimal, const struct optimal_frame *frame)
{
    for (uint32_t i = frame->sleep; i < optimal->sleep.count; i++)
        if (!optimal->sleep.item[i].given)
            return true;
    return false;
}

/* No branch continues from the last frame: at a leaf of the wakeup tree nothing sleeps except
 * for other leaves of the search, and any thread that is awake will do, `tid` if possible. */
static bool go_anywhere(struct optimal *optimal, struct optimal_frame *frame, int tid)
{
    if (sleeps_itself(optimal, frame))
        return false;
    if (sleeps_here(optimal, frame, tid)) {
        tid = threadset_next(&frame->enabled, 0);
        while (tid >= 0 && sleeps_here(optimal, frame, tid))
            tid = threadset_next(&frame->enabled, tid + 1);
    }
    optimal->blocked = tid < 0;
    if (tid < 0)
        return false;
    frame->event = (struct optimal_event){.tid = (uint32_t)tid};
    return true;
}

/* A state that is new on the path: follow the wakeup tree. */
static int extend_path(struct optimal *optimal, const struct position *pos, uint32_t situation)
{
    struct optimal_frame *frame = new_frame(optimal, situation);
    uint32_t index = optimal->frames.count - 1;
    bool leaf = frame->tree == 0 || frame->end;
    bool news = index > 0 && frame[-1].was_vague;
    frame->enabled = pos->enabled;
    int planned = optimal->leaf ? optimal_leaf_extend(optimal, index, pos) : ORDERED_FREE;
    if (planned >= 0) {
        frame->event = (struct optimal_event){.tid = (uint32_t)planned};
        frame->open = true;
        return planned;
    }
    if (planned == PICK_PRUNE) {
        optimal->pruned = true;
        return PICK_PRUNE;
    }
    if (!optimal_next_branch(optimal, index, news) &&
        !(leaf && go_anywhere(optimal, frame, position_alternative(pos, 0)))) {
        optimal->pruned = true;
        return PICK_PRUNE;
    }
    frame->open = true;
    return (int)frame->event.tid;
}

static uint32_t situation_at(const struct optimal *optimal, uint64_t situation)
{
    uint32_t before = optimal->cursor ? optimal->frames.item[optimal->cursor - 1].situation : 0;
    return (uint32_t)(hash_mix(situation + before) >> 32);
}

static int note_divergence(struct optimal *optimal)
{
    optimal->diverged = true;
    return PICK_DIVERGED;
}

static int optimal_pick(struct strategy *strategy, const struct position *pos)
{
    if (strategy->instead)
        return auto_after_optimal->pick(strategy->instead, pos);
    struct optimal *optimal = &strategy->optimal;
    if (optimal->diverged)
        return PICK_DIVERGED;
    absorb_step(optimal, pos);
    finish_event(optimal);
    note_births(optimal, pos);
    uint32_t situation = situation_at(optimal, position_situation(pos));
    if (optimal->cursor == optimal->frames.count) {
        int tid = extend_path(optimal, pos, situation);
        if (tid < 0)
            return tid;
    }
    struct optimal_frame *frame = &optimal->frames.item[optimal->cursor];
    int tid = (int)frame->event.tid;
    if (frame->situation != situation || !threadset_has(&pos->enabled, tid))
        return note_divergence(optimal);
    optimal->context->follows = optimal->cursor < optimal->kept;
    if (optimal->cursor++ >= optimal->kept) {
        frame->blocks = pos->pending[tid].flags & OP_MAY_BLOCK;
        frame->section = op_in_section(&pos->pending[tid]);
        frame->event.wait = optimal_wait_name(&pos->pending[tid]);
        optimal->must_wait = pos->must_wait;
    }
    start_event(optimal);
    return tid;
}

/* A data choice before the first operation is a separate event of the only thread. */
static bool choose_at_start(struct optimal *optimal)
{
    uint32_t situation = situation_at(optimal, 0);
    if (optimal->frames.count == 0) {
        new_frame(optimal, situation)->open = true;
    } else if (optimal->frames.item[0].situation != situation) {
        return false;
    }
    optimal->cursor++;
    start_event(optimal);
    return true;
}

static int optimal_choose(struct strategy *strategy, int n)
{
    if (strategy->instead)
        return auto_after_optimal->choose(strategy->instead, n);
    struct optimal *optimal = &strategy->optimal;
    if (optimal->diverged)
        return 0;
    if (optimal->leaf)
        ordered_choose(optimal->leaf);
    if (!optimal->running && (optimal->cursor > 0 || !choose_at_start(optimal))) {
        note_divergence(optimal);
        return 0;
    }
    uint32_t planned = optimal->frames.item[optimal->cursor - 1].event.choice;
    int value = optimal_choices_follow(&optimal->choices, &optimal->choice, planned, n);
    if (value < 0)
        note_divergence(optimal);
    return value < 0 ? 0 : value;
}

/* --- the end of an execution --- */

static void finish_execution(struct optimal *optimal, const struct position *pos,
                             enum outcome outcome)
{
    absorb_step(optimal, pos);
    if (early_ends_is(outcome)) /* it depends on everything, like the end of the process */
        optimal->op.flags |= OP_GLOBAL;
    finish_event(optimal);
    if (early_ends_is(outcome) && optimal->cursor > 0) {
        uint32_t tid = optimal_frame(optimal, optimal->cursor)->event.tid;
        early_ends_add(&optimal->early_ends, tid, steps_of(optimal, tid)->step.count);
    }
    note_births(optimal, pos);
    optimal_reverse_races(optimal, pos);
    if (optimal->frames.count > 0)
        optimal->frames.item[optimal->frames.count - 1].explored = true;
}

/* The branch of the last frame is done: puts its event to sleep, unless no execution through it
 * ran to its end. */
static void leave_branch(struct optimal *optimal)
{
    uint32_t index = optimal->frames.count - 1;
    struct optimal_frame *frame = &optimal->frames.item[index];
    optimal_free_tree(optimal, frame->below);
    frame->below = 0;
    frame->left++;
    bool given = frame->chain == CHAIN_FOLLOWS;
    if (!frame->explored && !given)
        return;
    struct optimal_event *sleeper = vector_add(optimal->context->pool, &optimal->sleep);
    *sleeper = frame->event;
    sleeper->given = given;
    frame->chain = given ? CHAIN_DONE : CHAIN_NONE;
    if (index > 0)
        frame[-1].explored = true;
    frame->explored = false;
}

/* All branches of a frame where a sequence ends turned out to be impossible: any thread will do
 * after all. */
static bool resort_to_any(struct optimal *optimal, uint32_t index)
{
    struct optimal_frame *frame = &optimal->frames.item[index];
    if (!frame->end || frame[-1].explored)
        return false;
    frame->end = false;
    return go_anywhere(optimal, frame, threadset_next(&frame->enabled, 0));
}

/* So far nothing but another leaf's part was explored from this frame of the chain: begins
 * there. */
static bool begin_anew(struct optimal *optimal, uint32_t index)
{
    struct optimal_frame *frame = &optimal->frames.item[index];
    if (frame->chain != CHAIN_DONE)
        return false;
    frame->chain = CHAIN_NONE;
    return go_anywhere(optimal, frame, threadset_next(&frame->enabled, 0));
}

/* The execution can't continue in the leaf. Its races count; what it would have done next does
 * not. */
static void finish_blocked(struct optimal *optimal, const struct position *pos)
{
    struct optimal_frame *last = &optimal->frames.item[optimal->frames.count - 1];
    optimal_free_tree(optimal, last->tree);
    optimal->sleep.count = last->sleep;
    optimal->frames.count--;
    optimal->pruned = false;
    optimal_reverse_races(optimal, pos);
    if (optimal->frames.count > 0)
        optimal->frames.item[optimal->frames.count - 1].explored = true;
}

/* Removes the last frame with what its event noted; only the first `settled` events noted
 * anything.
 */
static struct optimal_frame *undo_last_event(struct optimal *optimal, uint32_t settled)
{
    uint32_t last = optimal->frames.count;
    if (last <= settled)
        forget_event(optimal, last);
    return optimal_frame(optimal, last);
}

/* Forgets everything and begins again. */
static void restart_search(struct optimal *optimal)
{
    uint32_t settled = optimal->clocks.steps;
    while (optimal->frames.count > 0) {
        struct optimal_frame *frame = undo_last_event(optimal, settled);
        optimal_free_tree(optimal, frame->below);
        optimal_free_tree(optimal, frame->tree);
        optimal->frames.count--;
    }
    optimal->sleep.count = optimal->races.count = 0;
    optimal->kept = 0;
}

/* Goes back to the last frame with a waiting branch. False: there is none. */
static bool advance_path(struct optimal *optimal)
{
    uint32_t settled = optimal->clocks.steps;
    while (optimal->frames.count > optimal_fixed(optimal)) {
        uint32_t index = optimal->frames.count - 1;
        struct optimal_frame *frame = undo_last_event(optimal, settled);
        if (frame->open) {
            leave_branch(optimal);
            if (optimal_next_branch(optimal, index, true) || resort_to_any(optimal, index) ||
                begin_anew(optimal, index)) {
                optimal->kept = index;
                return true;
            }
        }
        optimal_free_tree(optimal, frame->tree);
        optimal->sleep.count = frame->sleep;
        optimal->frames.count--;
    }
    optimal->kept = 0;
    return false;
}

/* An execution without an end is not a trace that could be run once, and what a thread that
 * never ran would have done is unknown. dpor can handle this (por.c), so it takes over from the
 * beginning. */
static enum verdict hand_over(struct strategy *strategy)
{
    if (ordered_is_confined(strategy->optimal.leaf)) {
        optimal_leaf_give_up(&strategy->optimal);
        return STRATEGY_DONE;
    }
    strategy->instead = auto_after_optimal->create(strategy->optimal.context, NULL, 0);
    return STRATEGY_MORE;
}

static enum verdict optimal_end(struct strategy *strategy, const struct position *pos,
                                enum outcome outcome)
{
    if (strategy->instead)
        return auto_after_optimal->end(strategy->instead, pos, outcome);
    if (outcome == OUTCOME_CUT)
        return hand_over(strategy);
    struct optimal *optimal = &strategy->optimal;
    bool given_up = outcome == OUTCOME_PRUNED || outcome == OUTCOME_DIVERGED;
    if (optimal->diverged || (given_up && !optimal->pruned) ||
        optimal->cursor < optimal->frames.count - optimal->pruned) {
        strategy_raise_lost(optimal->context);
        return outcome == OUTCOME_DIVERGED ? STRATEGY_DONE : hand_over(strategy);
    }
    if (!given_up)
        finish_execution(optimal, pos, outcome);
    if (optimal->blocked)
        finish_blocked(optimal, pos);
    bool confined = ordered_is_confined(optimal->leaf);
    if (confined && (early_ends_is(outcome) || optimal->leaf->gave_up)) {
        optimal_leaf_give_up(optimal);
        return STRATEGY_DONE;
    }
    if (early_ends_is(outcome) && !optimal->ends_early) {
        optimal->ends_early = true;
        restart_search(optimal);
        return STRATEGY_MORE;
    }
    return advance_path(optimal) ? STRATEGY_MORE : STRATEGY_DONE;
}

static bool optimal_enter(struct strategy *strategy, const struct leaf *leaf)
{
    struct optimal *optimal = &strategy->optimal;
    optimal->leaf = ordered_create(optimal->context->pool, leaf);
    return optimal->leaf;
}

static int optimal_split(struct strategy *strategy, struct leaf *gift, struct leaf *kept)
{
    return strategy->instead ? -1 : optimal_leaf_split(&strategy->optimal, gift, kept);
}

static bool optimal_gave_up(const struct strategy *strategy)
{
    return strategy->optimal.leaf && strategy->optimal.leaf->gave_up;
}

static bool optimal_is_taken_over(const struct strategy *strategy)
{
    return strategy->instead;
}

const struct strategy_ops strategy_optimal = {
    .name = "optimal",
    .traits = STRATEGY_TAKES_SYMMETRIC | STRATEGY_REDUCES | STRATEGY_SPLITTABLE,
    .help = "exactly one execution per trace",
    .create = optimal_create,
    .begin = optimal_begin,
    .pick = optimal_pick,
    .choose = optimal_choose,
    .end = optimal_end,
    .mark = optimal_mark,
    .go_on = optimal_go_on,
    .enter = optimal_enter,
    .split = optimal_split,
    .gave_up = optimal_gave_up,
    .is_taken_over = optimal_is_taken_over,
};
