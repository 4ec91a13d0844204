/* The races of an execution, and their reversal (optimal.h).
 *
 * Two adjacent dependent events of different threads are a race. Reversed: everything that
 * does not happen after the first one, then the second one (POPL 2014, section 6).
 *
 * A blocking operation also races with events that disabled it, adjacent or not:
 *
 *     A: lock  A: unlock  B: lock      B's lock follows the unlock directly, but can't come
 *       ▲         ✗          │         before it: it was disabled there. Before A's lock it
 *       └────────────────────┘         was enabled: that is the race to reverse
 *
 * and so does an operation that stays blocked for ever. So this file looks back from the
 * operation over the versions of its object: where the operation was (or may have been) enabled
 * just before, there is a race. If it was certainly enabled there and has one object, the look
 * back ends: races further back show up again once this one is reversed. */
#include <string.h>

#include "explore/optimal/optimal.h"

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_MAYBE };

/* Is the final form the same wherever the operation is executed? A spinning read may be about
 * to write, and names what its cycle reads. */
static bool form_is_fixed(const struct op *op)
{
    if (op->flags & (OP_TIMED | OP_SPINS))
        return false;
    return op_has(op, OP_SAME_FORM) ||
           (op_has(op, OP_FORM_IF_BLOCKING) && op->flags & OP_MAY_BLOCK);
}

/* The event as it might be in another place: an upper bound of what it depends on. `section`:
 * while pending it counted as part of an atomic section. If executions end early it may end
 * this one.
 *
 * With the same form it is the same event with the same data choice. Another choice may have
 * another form (a time-out that may happen at any time), so a sleeping event with one choice
 * does not cover the others. */
static struct optimal_event move_event(const struct optimal *optimal,
                                       struct optimal_event event, bool same_form, bool section)
{
    section |= optimal->ends_early;
    bool fixed_objects = op_has(&event.op, OP_SAME_OBJECTS) && !section;
    same_form &= !(section && (event.choice || event.op.flags & OP_GLOBAL));
    if (same_form)
        return event;
    event.choice = 0;
    if (form_is_fixed(&event.op) && fixed_objects)
        return event;
    event.vague = true;
    event.op.flags |= OP_READS | OP_WRITES | (fixed_objects ? 0 : OP_GLOBAL);
    return event;
}

static bool happens_before(const struct optimal *optimal, uint32_t step, uint32_t tid,
                           uint32_t later)
{
    return clocks_of(&optimal->clocks, later, (int)tid) >= step;
}

/* Does the first operation change what the second one sees? */
static bool writes_object_of(const struct op *first, const struct op *second)
{
    struct op read = *second;
    read.flags &= (uint16_t) ~(OP_WRITES | OP_GLOBAL);
    return first->flags & OP_GLOBAL || op_dependent(first, &read);
}

/* --- finding races --- */

static void add_race(struct optimal *optimal, uint32_t first, uint32_t second)
{
    for (uint32_t i = optimal_frame(optimal, second)->race; i < optimal->races.count; i++)
        if (optimal->races.item[i].first == first)
            return;
    *vector_add(optimal->context->pool, &optimal->races) = (struct optimal_race){first, second};
}

/* The events that `step` directly follows. */
static void adjacent_races(struct optimal *optimal, uint32_t step)
{
    const struct optimal_frame *frame = optimal_frame(optimal, step);
    const struct optimal_event *event = &frame->event;
    struct clocks *clocks = &optimal->clocks;
    uint32_t threads = clocks->threads.count;
    vector_reserve(optimal->context->pool, &optimal->candidate, threads);
    uint32_t *candidate = optimal->candidate.item;
    if (!clocks_candidates(clocks, (int)event->tid, &event->op, candidate))
        return;
    for (uint32_t t = 0; t < threads; t++)
        if (candidate[t] && candidate[t] <= clocks_before(clocks, (int)event->tid, (int)t))
            candidate[t] = 0;
    for (uint32_t t = 0; t < threads; t++) {
        bool adjacent = candidate[t] != 0;
        for (uint32_t other = 0; other < threads && adjacent; other++)
            if (other != t && candidate[other] &&
                happens_before(optimal, candidate[t], t, candidate[other]))
                adjacent = false;
        if (adjacent)
            add_race(optimal, candidate[t], step);
    }
}

static bool acquires_lock(const struct op *op)
{
    return op_has(op, OP_TAKES_LOCK) && op->flags & OP_WRITES;
}

/* The version of an object before step `from`, if `from` names it. */
static uint32_t version_before(struct optimal *optimal, uint32_t from, uint64_t object)
{
    const struct optimal_frame *frame = optimal_frame(optimal, from);
    for (int i = 0; i < frame->event.op.nobjects; i++)
        if (frame->event.op.object[i] == object)
            return frame->version[i];
    return 0;
}

/* Was the lock free just before step `first`? The previous event on the lock tells: if its
 * thread had taken the lock, it was not free; else, if `first` takes it, it was. */
static enum answer was_free(struct optimal *optimal, uint32_t first, uint64_t lock)
{
    const struct optimal_event *event = &optimal_frame(optimal, first)->event;
    uint32_t version = version_before(optimal, first, lock);
    if (version) {
        const struct optimal_event *before = &optimal_frame(optimal, version)->event;
        if (before->tid == event->tid && acquires_lock(&before->op))
            return ANSWER_NO;
    }
    return acquires_lock(&event->op) ? ANSWER_YES : ANSWER_MAYBE;
}

/* Could the read be executed with the value that `done` has replaced? The same object and size
 * is the same location (op.wait is 0 where it may not be). */
static enum answer could_read_before(const struct optimal *optimal,
                                     const struct optimal_event *event, const struct op *done)
{
    const struct op *op = &event->op;
    if (!event->wait || !optimal->must_wait || !(done->flags & OP_KNOWS_BEFORE) ||
        op->nobjects != 1 || done->nobjects != 1 || done->object[0] != op->object[0] ||
        done->size != op->size)
        return ANSWER_MAYBE;
    switch (optimal->must_wait(event->wait, done->before)) {
    case WAIT_NO:
        return ANSWER_YES;
    case WAIT_YES:
        return ANSWER_NO;
    default:
        return ANSWER_MAYBE;
    }
}

/* Could the event, pending since step `previous` of its thread, be executed just before
 * `first`, with nothing of what happens after `first` done? */
static enum answer enabled_before(struct optimal *optimal, uint32_t first,
                                  const struct optimal_event *event, uint32_t previous)
{
    const struct optimal_frame *frame = optimal_frame(optimal, first);
    const struct op *done = &frame->event.op, *op = &event->op;
    if (previous < first)
        return threadset_has(&frame->enabled, (int)event->tid) ? ANSWER_YES : ANSWER_NO;
    if (clocks_never_together(done, op))
        return ANSWER_NO;
    if (done->flags & OP_GLOBAL)
        return ANSWER_MAYBE;
    if (op->flags & OP_TIMED && op->kind != OP_COND_WAKE) /* it may time out there */
        return ANSWER_MAYBE;
    if (op->kind == OP_JOIN)
        return done->kind == OP_START || done->kind == OP_CREATE ? ANSWER_NO : ANSWER_MAYBE;
    if (op->kind == OP_COND_WAKE)
        return done->kind == OP_MUTEX_UNLOCK ? ANSWER_NO : ANSWER_MAYBE;
    if (op->kind == OP_MUTEX_LOCK || op->kind == OP_SPIN_LOCK)
        return was_free(optimal, first, op->object[0]);
    return could_read_before(optimal, event, done);
}

/* Looks back from a blocking operation, pending since step `previous` of its thread, over the
 * versions of one of its objects; an OP_GLOBAL step may be a version of anything. */
static void look_back(struct optimal *optimal, const struct optimal_event *event,
                      uint32_t previous, uint32_t version, uint32_t global, uint64_t object,
                      void (*found)(struct optimal *, uint32_t, const struct optimal_event *))
{
    while (version || global) {
        uint32_t step = version > global ? version : global;
        const struct optimal_frame *frame = optimal_frame(optimal, step);
        uint32_t tid = frame->event.tid;
        if (tid == event->tid || (previous && happens_before(optimal, step, tid, previous)))
            return;
        bool certain = event->op.nobjects == 1 && step != global;
        enum answer answer = enabled_before(optimal, step, event, previous);
        if (answer != ANSWER_NO || !certain)
            found(optimal, step, event);
        if (answer == ANSWER_YES && certain)
            return;
        if (step == version)
            version = version_before(optimal, version, object);
        if (step == global)
            global = frame->global;
    }
}

/* The same for an operation that waits for more objects than it can name: any step before it
 * may be a version of one of them. */
static void look_back_at_all(struct optimal *optimal, const struct optimal_event *event,
                             uint32_t previous, uint32_t step,
                             void (*found)(struct optimal *, uint32_t,
                                           const struct optimal_event *))
{
    for (; step; step--) {
        uint32_t tid = optimal_frame(optimal, step)->event.tid;
        if (tid != event->tid && !(previous && happens_before(optimal, step, tid, previous)))
            found(optimal, step, event);
    }
}

static void found_executed(struct optimal *optimal, uint32_t first,
                           const struct optimal_event *event)
{
    (void)event;
    add_race(optimal, first, optimal->frames.count);
}

void optimal_note_races(struct optimal *optimal, uint32_t step)
{
    struct optimal_frame *frame = optimal_frame(optimal, step);
    frame->race = optimal->races.count;
    adjacent_races(optimal, step);
    if (frame->event.choice)
        add_race(optimal, step, step);
    if (!frame->blocks)
        return;
    uint16_t flags = frame->event.op.flags;
    if (flags & OP_GLOBAL && !(flags & OP_TIMED_OUT))
        look_back_at_all(optimal, &frame->event, frame->previous, step - 1, found_executed);
    for (int i = 0; i < frame->event.op.nobjects; i++)
        look_back(optimal, &frame->event, frame->previous, frame->version[i], frame->global,
                  frame->event.op.object[i], found_executed);
}

/* --- reversing them --- */

/* The first of the thread's steps that comes after `step` on the path, as an index. */
static uint32_t first_after(const struct optimal_steps *thread, uint32_t step)
{
    uint32_t low = 0;
    uint32_t high = thread->step.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (thread->step.item[middle] > step)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* optimal->sequence = all events after `first` on the path that do not happen after it. Those
 * of one thread come before those that do, so each thread contributes one run of steps. */
static void collect_sequence(struct optimal *optimal, uint32_t first)
{
    struct pool *pool = optimal->context->pool;
    uint32_t tid = optimal_frame(optimal, first)->event.tid;
    uint32_t threads = optimal->threads.count;
    optimal->sequence.event.count = optimal->sequence.first = 0;
    vector_reserve(pool, &optimal->heads, threads);
    uint32_t *head = optimal->heads.item;
    for (uint32_t t = 0; t < threads; t++)
        head[t] = t == tid ? UINT32_MAX : first_after(&optimal->threads.item[t], first);
    for (;;) {
        uint32_t nearest = UINT32_MAX;
        uint32_t of = 0;
        for (uint32_t t = 0; t < threads; t++) {
            const struct optimal_steps *thread = &optimal->threads.item[t];
            if (head[t] >= thread->step.count)
                continue;
            uint32_t step = thread->step.item[head[t]];
            if (happens_before(optimal, first, tid, step)) {
                head[t] = UINT32_MAX;
            } else if (step < nearest) {
                nearest = step;
                of = t;
            }
        }
        if (nearest == UINT32_MAX)
            return;
        head[of]++;
        const struct optimal_event **event = vector_add(pool, &optimal->sequence.event);
        *event = &optimal_frame(optimal, nearest)->event;
    }
}

/* Is the thread enabled after the collected sequence? It is as before `first` if nothing in the
 * sequence touches its objects. */
static enum answer enabled_after_sequence(struct optimal *optimal, uint32_t first,
                                          const struct optimal_event *last, uint32_t previous)
{
    const struct optimal_sequence *sequence = &optimal->sequence;
    enum answer answer = enabled_before(optimal, first, last, previous);
    if (last->op.flags & OP_GLOBAL && !last->wait && sequence->event.count)
        return ANSWER_MAYBE;
    for (uint32_t i = 0; i < sequence->event.count && answer != ANSWER_MAYBE; i++)
        if (sequence->event.item[i]->tid != last->tid &&
            writes_object_of(&sequence->event.item[i]->op, &last->op))
            answer = ANSWER_MAYBE;
    return answer;
}

/* Adds to the tree before `first`: what does not happen after it, then `last`. */
static void reverse_race(struct optimal *optimal, uint32_t first,
                         const struct optimal_event *last, bool blocks, uint32_t previous)
{
    if (first <= optimal_fixed(optimal))
        return; /* traces that do not begin with this leaf's steps belong to another leaf */
    uint32_t birth = clocks_birth(&optimal->clocks, (int)last->tid);
    if (happens_before(optimal, first, optimal_frame(optimal, first)->event.tid, birth))
        return; /* the thread does not exist before */
    collect_sequence(optimal, first);
    enum answer answer =
        blocks ? enabled_after_sequence(optimal, first, last, previous) : ANSWER_YES;
    if (answer == ANSWER_NO)
        return;
    const struct optimal_event **event =
        vector_add(optimal->context->pool, &optimal->sequence.event);
    *event = last;
    optimal->sequence.guess = answer == ANSWER_MAYBE;
    optimal->sequence.unsure = false;
    optimal_insert(optimal, first - 1);
}

/* All other values of each data choice of an event. */
static void other_choices(struct optimal *optimal, uint32_t step)
{
    struct optimal_event executed = optimal_frame(optimal, step)->event;
    for (uint32_t id = executed.choice; id;) {
        struct optimal_choice choice = optimal->choices.item.item[id];
        for (uint32_t value = 0; value < choice.count; value++) {
            if (value == choice.value)
                continue;
            struct optimal_event event =
                move_event(optimal, executed, false, optimal_frame(optimal, step)->section);
            event.choice =
                optimal_choices_add(&optimal->choices, choice.parent, value, choice.count);
            reverse_race(optimal, step, &event, false, 0);
        }
        id = choice.parent;
    }
}

static void reverse_executed(struct optimal *optimal, const struct optimal_race *race)
{
    const struct optimal_frame *first = optimal_frame(optimal, race->first);
    const struct optimal_frame *second = optimal_frame(optimal, race->second);
    if (race->first == race->second) {
        other_choices(optimal, race->first);
        return;
    }
    bool same_form = !writes_object_of(&first->event.op, &second->event.op);
    struct optimal_event last = move_event(optimal, second->event, same_form, second->section);
    reverse_race(optimal, race->first, &last, second->blocks, second->previous);
}

static void found_pending(struct optimal *optimal, uint32_t first,
                          const struct optimal_event *event)
{
    uint32_t previous = optimal->clocks.threads.item[event->tid].step;
    reverse_race(optimal, first, event, true, previous);
}

/* Threads whose pending operation was never executed. */
static void reverse_pending(struct optimal *optimal, const struct position *pos, uint32_t tid)
{
    struct optimal_event event = {.op = pos->pending[tid], .tid = tid};
    event.wait = optimal_wait_name(&event.op);
    const struct clocks_thread *thread = &optimal->clocks.threads.item[tid];
    uint32_t last = optimal->frames.count;
    const struct optimal_event *ending = &optimal_frame(optimal, last)->event;
    event = move_event(optimal, event, false, op_in_section(&event.op));
    event.vague |= op_has(&event.op, OP_SAME_FORM) && !op_has(&event.op, OP_AS_PENDING);
    if (ending->op.flags & OP_GLOBAL && ending->tid != tid)
        reverse_race(optimal, last, &event, event.op.flags & OP_MAY_BLOCK, thread->step);
    if (!(event.op.flags & OP_MAY_BLOCK))
        return;
    if (event.op.flags & OP_GLOBAL)
        look_back_at_all(optimal, &event, thread->step, last, found_pending);
    for (int i = 0; i < event.op.nobjects; i++) {
        const uint32_t *version = table_get(&optimal->versions, event.op.object[i], 0);
        look_back(optimal, &event, thread->step, version ? *version : 0, optimal->global,
                  event.op.object[i], found_pending);
    }
}

void optimal_reverse_races(struct optimal *optimal, const struct position *pos)
{
    for (uint32_t i = 0; i < optimal->races.count; i++)
        reverse_executed(optimal, &optimal->races.item[i]);
    if (optimal->frames.count == 0)
        return;
    for (int tid = 0; tid < pos->nthreads; tid++)
        if (pos->pending[tid].kind != OP_NONE && clocks_is_born(&optimal->clocks, tid))
            reverse_pending(optimal, pos, (uint32_t)tid);
}
