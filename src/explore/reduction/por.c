/* The path of the reduced search (por.h): following it, extending it, finding the next one.
 *
 * Invariant: frames [0, kept) led to the same states in the previous execution, so their sets
 * and clocks are still valid; a frame's `chosen` is in `backtrack` and, while its subtree is
 * being explored, not in `done`. */
#include "explore/reduction/por.h"

#include <string.h>

#include "base/hash.h"
#include "base/must.h"

struct strategy {
    struct por por;
};

struct strategy *por_create(struct strategy_context *context, bool plain)
{
    struct strategy *strategy = pool_alloc(context->pool, sizeof *strategy);
    strategy->por.context = context;
    strategy->por.plain = plain;
    clocks_init(&strategy->por.clocks, context->pool);
    early_ends_init(&strategy->por.early_ends, context->pool);
    return strategy;
}

struct por *por_of(struct strategy *strategy)
{
    return &strategy->por;
}

void por_begin(struct strategy *strategy)
{
    struct por *por = &strategy->por;
    por->cursor = por->choice_cursor = 0;
    por->diverged = false;
    por->round.steps = 0;
    clocks_begin(&por->clocks, por->kept);
    por_fair_begin(por);
}

/* What the fair bound and sdpor know of an execution is not kept by frame; and what another
 * process searches may change between executions. */
bool por_mark(struct strategy *strategy, struct strategy_mark *mark)
{
    const struct por *por = &strategy->por;
    if (por->states || por->context->options.fair >= 0 || por->diverged ||
        ordered_is_confined(por->leaf))
        return false;
    *mark = (struct strategy_mark){
        .cursor = por->cursor, .choices = por->choice_cursor, .depth = por->clocks.steps};
    return true;
}

enum strategy_goes_on por_go_on(struct strategy *strategy, const struct strategy_mark *mark)
{
    struct por *por = &strategy->por;
    if (mark->cursor > por->kept)
        return MARK_GONE;
    por->cursor = mark->cursor;
    por->choice_cursor = mark->choices;
    clocks_go_on(&por->clocks, mark->depth);
    return MARK_GOES_ON;
}

static uint32_t situation_at(const struct por *por, const struct position *pos)
{
    uint32_t before = por->cursor ? por->frames.item[por->cursor - 1].situation : 0;
    return (uint32_t)(hash_mix(position_situation(pos) + before) >> 32);
}

/* Notes that something below the current alternative is left out. */
static void note_pruned(struct por *por, uint32_t frames)
{
    if (frames > 0)
        por->frames.item[frames - 1].pruned_now = true;
}

static bool is_asleep(const struct por_frame *frame, int tid)
{
    return threadset_has(&frame->sleep, tid) || threadset_has(&frame->bound_sleep, tid);
}

/* Is exploring the thread within the bounds? If not, notes that something is left out. */
static bool is_affordable(struct por *por, const struct por_frame *frame, int tid)
{
    if (!por_few_preemptions(por, frame, tid)) {
        por->context->stats.pruned_by_bound = true;
        return false;
    }
    if (!threadset_has(&frame->unfair, tid))
        return true;
    strategy_raise(por->context, REASON_FAIR_BOUND);
    return false;
}

/* The first thread to explore from a new state: the running one if it can continue, so that
 * states are first reached by their cheapest path (paper 002, Algorithm 3, Initialize).
 * Sleeping threads are not chosen. -1: none is left. */
static int first_thread(struct por *por, const struct por_frame *frame,
                        const struct position *pos)
{
    bool left_out = false;
    uint32_t enabled = (uint32_t)threadset_count(&pos->enabled);
    for (uint32_t i = 0; i < enabled; i++) {
        int tid = position_alternative(pos, i);
        bool sleeps = is_asleep(frame, tid);
        if (!sleeps && is_affordable(por, frame, tid))
            return tid;
        left_out |= !threadset_has(&frame->sleep, tid);
    }
    if (left_out)
        note_pruned(por, por->frames.count - 1);
    return -1;
}

static void choose_thread(struct por *por, uint32_t index, int tid, bool last_yields)
{
    struct por_frame *frame = &por->frames.item[index];
    must(threadset_has(&frame->backtrack, tid));
    frame->chosen = (uint32_t)tid;
    frame->ended = true;
    frame->pruned_now = frame->cut_now = false;
    frame->op.kind = OP_NONE;
    bool same = index > 0 && frame[-1].chosen == (uint32_t)tid && !last_yields;
    frame->block = same ? frame[-1].block : index;
}

static bool last_yields(const struct position *pos)
{
    return pos->last >= 0 && pos->pending[pos->last].flags & OP_YIELDS;
}

/* The execution ends here: adds the races of operations that were not executed in it. */
static void races_of_the_rest(struct por *por, const struct position *pos)
{
    for (int tid = 0; tid < pos->nthreads; tid++)
        if (pos->pending[tid].kind != OP_NONE)
            por_races(por, tid, &pos->pending[tid]);
}

/* The next step of a cycle that can repeat for ever. */
static int go_round(struct por *por, const struct position *pos)
{
    uint32_t index = por->round.first + por->round.at++ % por->round.steps;
    int tid = (int)por->frames.item[index].chosen;
    return threadset_has(&pos->enabled, tid) ? tid : PICK_PRUNE;
}

/* A state that was not visited before on this path; `done` is the step that led to it. */
static int extend_path(struct por *por, const struct position *pos, uint32_t situation,
                       const struct op *done)
{
    struct por_frame *frame = vector_add(por->context->pool, &por->frames);
    uint32_t index = por->frames.count - 1;
    memset(frame, 0, sizeof *frame);
    frame->situation = situation;
    frame->enabled = pos->enabled;
    frame->last = pos->last;
    frame->preemptions = index > 0 ? por_cost(&frame[-1], (int)frame[-1].chosen) : 0;
    por->cursor++;
    por_plain_races(por, pos, done);
    por_fair_enter(por, frame);
    por_post_check(por, pos);
    frame->last_goes_on =
        position_last_goes_on(pos) && !threadset_has(&frame->unfair, pos->last);
    por_sleep_enter(por, frame, pos);
    int tid = por->leaf ? por_leaf_extend(por, frame, pos) : ORDERED_FREE;
    if (tid == PICK_PRUNE) { /* nothing is known here: the chain ends */
        por->frames.count--;
        por->cursor--;
        return PICK_PRUNE;
    }
    if (tid == ORDERED_FREE)
        tid = first_thread(por, frame, pos);
    if (tid < 0) {
        por->frames.count--;
        por->cursor--;
        por_fair_stuck(por, pos);
        races_of_the_rest(por, pos);
        return PICK_PRUNE;
    }
    if (por->states && por_states_turn_back(por, frame, pos)) {
        por->frames.count--;
        por->cursor--;
        return por->round.steps ? go_round(por, pos) : PICK_PRUNE;
    }
    threadset_add(&frame->backtrack, tid);
    frame->alternatives = 1;
    frame->last_yields = last_yields(pos);
    choose_thread(por, index, tid, frame->last_yields);
    if (por->states)
        por_states_pick(por, frame, pos);
    return tid;
}

/* Notes what the step that leaves a frame did; another data choice may have done something
 * else. */
static void note_op(struct por_frame *frame, const struct op *done)
{
    if (frame->op.kind == OP_NONE)
        frame->op = *done;
    else if (frame->op.flags != done->flags || frame->op.nobjects != done->nobjects ||
             frame->op.only_read != done->only_read ||
             memcmp(frame->op.object, done->object, sizeof done->object) != 0)
        frame->op.flags |= done->flags | OP_GLOBAL;
}

/* Has the step that was just executed ended an execution early elsewhere? */
static bool ends_elsewhere(const struct por *por, int tid)
{
    uint32_t before =
        clocks_is_born(&por->clocks, tid) ? por->clocks.threads.item[tid].steps.count : 0;
    return early_ends_has(&por->early_ends, (uint32_t)tid, before + 1);
}

/* The last step led to a new state: adds its races, and notes whether it ended its thread.
 * Returns the step as it was noted: whoever adds races, too, must take it for as dependent as
 * the clocks do. */
static struct op note_step(struct por *por, const struct position *pos, const struct op *step)
{
    struct por_frame *frame = &por->frames.item[por->cursor - 1];
    struct op known = *step;
    const struct op *done = &known;
    bool unknown = ends_elsewhere(por, pos->last); /* what it depends on (early_ends.h) */
    if (unknown)
        known.flags |= OP_GLOBAL;
    por_post_step(por, step, unknown);
    por_races(por, pos->last, done);
    clocks_step(&por->clocks, pos->last, done);
    note_op(frame, done);
    if (por->states)
        por_states_step(por, frame, pos, done);
    por_fair_leave(por, frame, pos);
    frame->ended &= !position_last_goes_on(pos);
    return known;
}

static void note_births(struct por *por, const struct position *pos)
{
    for (int tid = 0; tid < pos->nthreads; tid++)
        if (pos->pending[tid].kind != OP_NONE && !clocks_is_born(&por->clocks, tid))
            clocks_born(&por->clocks, tid);
}

int por_pick(struct strategy *strategy, const struct position *pos)
{
    struct por *por = &strategy->por;
    if (por->diverged)
        return PICK_DIVERGED;
    if (por->round.steps)
        return go_round(por, pos);
    uint32_t situation = situation_at(por, pos);
    por_fair_step(por, pos);
    if (por->cursor == por->frames.count) {
        struct op done;
        if (pos->done)
            done = note_step(por, pos, pos->done);
        note_births(por, pos);
        return extend_path(por, pos, situation, pos->done ? &done : NULL);
    }
    if (pos->done)
        clocks_step(&por->clocks, pos->last, pos->done);
    struct por_frame *frame = &por->frames.item[por->cursor++];
    if (frame->situation != situation || !threadset_has(&pos->enabled, (int)frame->chosen)) {
        por->diverged = true;
        return PICK_DIVERGED;
    }
    por->context->follows = por->cursor <= por->kept;
    if (por->states && por->cursor > por->kept)
        por_states_pick(por, frame, pos);
    return (int)frame->chosen;
}

int por_choose(struct strategy *strategy, int n)
{
    struct por *por = &strategy->por;
    if (por->cursor == 0) /* a data choice needs a step before it */
        strategy_raise_lost(por->context);
    if (por->diverged || por->cursor == 0 || por->round.steps)
        return 0;
    if (por->choice_cursor == por->choices.count) {
        if (por->leaf)
            ordered_choose(por->leaf);
        struct por_choice *fresh = vector_add(por->context->pool, &por->choices);
        *fresh = (struct por_choice){.frame = por->cursor - 1, .count = (uint32_t)n};
        por->choice_cursor++;
        return 0;
    }
    const struct por_choice *choice = &por->choices.item[por->choice_cursor++];
    if (choice->frame != por->cursor - 1 || choice->count != (uint32_t)n) {
        por->diverged = true;
        return 0;
    }
    return (int)choice->index;
}

/* The next data choice of the step that leaves frame `index`; false: there is none. */
static bool next_choice(struct por *por, uint32_t index)
{
    while (por->choices.count > 0) {
        struct por_choice *choice = &por->choices.item[por->choices.count - 1];
        if (choice->frame < index)
            return false;
        if (choice->frame == index && choice->index + 1 < choice->count) {
            choice->index++;
            return true;
        }
        por->choices.count--;
    }
    return false;
}

/* A thread of the backtrack set that is still to be explored, or -1. Those that the bound
 * forbids are marked as done. */
static int next_thread(struct por *por, struct por_frame *frame)
{
    for (int tid = threadset_next(&frame->backtrack, 0); tid >= 0;
         tid = threadset_next(&frame->backtrack, tid + 1)) {
        if (threadset_has(&frame->done, tid) || threadset_has(&frame->sleep, tid))
            continue;
        if (!threadset_has(&frame->bound_sleep, tid) && is_affordable(por, frame, tid))
            return tid;
        threadset_add(&frame->done, tid);
        frame->pruned = true;
    }
    return -1;
}

/* The bound pruned something below this frame: adds the threads that were held back for this
 * case. */
static bool add_held_back(struct por_frame *frame)
{
    if (!frame->pruned)
        return false;
    bool any = false;
    for (int i = 0; i < THREADSET_WORDS; i++) {
        any |= (frame->conservative.word[i] & ~frame->backtrack.word[i]) != 0;
        frame->backtrack.word[i] |= frame->conservative.word[i];
    }
    if (any)
        frame->alternatives = (uint32_t)threadset_count(&frame->backtrack);
    return any;
}

/* The current alternative of the frame is explored: returns the next one, or -1. */
static int leave_alternative(struct por *por, uint32_t index)
{
    struct por_frame *frame = &por->frames.item[index];
    threadset_add(&frame->done, (int)frame->chosen);
    frame->finished++;
    frame->pruned |= frame->pruned_now;
    por_sleep_leave(por, index);
    int tid;
    do
        tid = next_thread(por, frame);
    while (tid < 0 && add_held_back(frame));
    return tid < 0 && por->leaf ? por_leaf_begin_anew(por, index) : tid;
}

static bool advance_path(struct por *por)
{
    uint32_t fixed = por->leaf ? por->leaf->fixed : 0;
    while (por->frames.count > fixed) {
        uint32_t index = por->frames.count - 1;
        struct por_frame *frame = &por->frames.item[index];
        por->kept = index;
        if (next_choice(por, index))
            return true;
        int tid = leave_alternative(por, index);
        if (tid >= 0) {
            choose_thread(por, index, tid, frame->last_yields);
            return true;
        }
        if (frame->pruned)
            note_pruned(por, index);
        por_sleep_pop(por, index);
        if (por->states)
            por_states_pop(por, frame);
        por->frames.count--;
    }
    por->kept = 0;
    return false;
}

/* The explored part of this bound, as far as the sets on the path are known now. */
static double explored_fraction(const struct por *por)
{
    double share = 1;
    double explored = 0;
    for (uint32_t i = 0; i < por->frames.count; i++) {
        const struct por_frame *frame = &por->frames.item[i];
        if (frame->alternatives < 2)
            continue;
        share /= frame->alternatives;
        explored += share * frame->finished;
    }
    return explored;
}

/* A failure, or an assumption that does not hold, ends the execution of all threads: what the
 * others would have done is not seen, so the last step depends on everything, like the end of
 * the process. */
static struct op last_op(const struct position *pos, enum outcome outcome)
{
    struct op op = *pos->done;
    if (early_ends_is(outcome))
        op.flags |= OP_GLOBAL;
    return op;
}

/* The depth limit cut the execution. Threads that could have run may have no race with the
 * steps so far only because they never got that far. So they are tried before this run of
 * steps, which covers nothing. */
static void relieve_starved(struct por *por, const struct position *pos)
{
    uint32_t stretch = por->frames.item[por->cursor - 1].block;
    por->frames.item[stretch].cut_now = true;
    for (int tid = threadset_next(&pos->enabled, 0); tid >= 0;
         tid = threadset_next(&pos->enabled, tid + 1))
        if (tid != pos->last && threadset_has(&por->frames.item[stretch].enabled, tid))
            por_add_point(por, stretch, tid);
}

/* The last state of an execution: adds what the last step did, and the races of operations that
 * were never executed. */
static void settle_end(struct por *por, const struct position *pos, enum outcome outcome)
{
    if (outcome == OUTCOME_PRUNED || por->diverged || por->cursor == 0 || !pos->done ||
        pos->depth != por->cursor || por->cursor < por->frames.count)
        return;
    struct op done = last_op(pos, outcome);
    note_step(por, pos, &done);
    if (early_ends_is(outcome))
        early_ends_add(&por->early_ends, (uint32_t)pos->last,
                       por->clocks.threads.item[pos->last].steps.count);
    note_births(por, pos);
    por_plain_races(por, pos, &done);
    por_post_check(por, pos);
    races_of_the_rest(por, pos);
    if (outcome == OUTCOME_CUT)
        relieve_starved(por, pos);
}

enum verdict por_end(struct strategy *strategy, const struct position *pos,
                     enum outcome outcome)
{
    struct por *por = &strategy->por;
    settle_end(por, pos, outcome);
    if (por->diverged || por->cursor < por->frames.count) {
        strategy_raise_lost(por->context);
        por->frames.count = por->cursor < por->frames.count ? por->cursor : por->frames.count;
        por->choices.count = por->choice_cursor;
    }
    if (por->leaf && !por_leaf_end(por, outcome))
        return STRATEGY_DONE;
    bool more = advance_path(por);
    if (!por->leaf)
        por->context->fraction = more ? explored_fraction(por) : 1;
    return more ? STRATEGY_MORE : STRATEGY_DONE;
}
