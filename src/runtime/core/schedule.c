/* The scheduler: not a fiber of its own, but a function that runs on the stack of the thread
 * that has arrived at an operation.
 *
 *     hook            schedule_point(op)
 *                       pending[self] = op, refresh the enabled set
 *                       tid = search_pick(position)           append to board->schedule
 *                       tid == self ? return : fiber_swap(self, tid)
 *                     … effect of the operation …
 *                     schedule_done(final form)
 *
 * The search itself runs on a separate stack, so that the dead slots of a thread's frames
 * depend only on the thread's own past; spin.c hashes such slots. For the same reason the used
 * part of a stack is cleared before the next execution (thread.c).
 *
 * A thread that returns from fiber_swap has been picked: its operation is enabled and is
 * executed now. Invariant: between two points only the picked thread changes the program's
 * state, so the enabled set has to be refreshed only after operations that can release or write
 * something (`rt.stale`). */
#include "runtime/core/schedule.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/must.h"
#include "explore/search/auto.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/executor.h"
#include "runtime/core/failure.h"
#include "runtime/core/places.h"
#include "runtime/core/prefix.h"
#include "runtime/core/runtime.h"
#include "runtime/core/symmetry.h"
#include "runtime/memory/memory.h"

/* The previous execution: its choices are still on the board, after nschedule. */
static struct {
    bool same_so_far;
    uint32_t length;
    uint32_t given; /* RECORD: the length of the schedule to follow */
    /* By index of the choice. Two arrays, since only the first is read in every step. */
    uint32_t *did; /* a hash of the operation, 0 if it did not end */
    struct step {
        uint32_t kind;
        uint64_t object;
        uint64_t pc;
    } * step;
} before;
LASTING_STATE(before);

static inline void append_choice(uint32_t choice)
{
    struct board *board = rt.board;
    uint32_t n = board->nschedule;
    if (UNLIKELY(n >= BOARD_SCHEDULE))
        schedule_end(OUTCOME_CUT);
    if (board->schedule[n] != choice || n >= before.length)
        before.same_so_far = false;
    if (!before.same_so_far)
        before.did[n] = 0;
    board->schedule[n] = choice;
    board->nschedule = n + 1;
}

bool schedule_was_at(int tid, uint64_t pc)
{
    for (uint32_t i = 0; i < rt.board->nschedule; i++)
        if (rt.board->schedule[i] == (uint32_t)tid && before.did[i] != 0 &&
            before.step[i].pc == pc)
            return true;
    return false;
}

bool schedule_is_next(int tid)
{
    uint32_t n = rt.board->nschedule;
    return n < before.given && rt.board->schedule[n] == (uint32_t)tid;
}

#define DIFFERS "the program behaved differently when the same schedule was run again: "

static void name_thread(char *text, size_t size, int tid)
{
    snprintf(text, size, tid == 0 ? "main" : "T%d", tid);
}

static void raise_difference(const struct step *step, const struct op *op, uint64_t object)
{
    char who[16];
    name_thread(who, sizeof who, rt.current);
    failure_note(FAILURE_NONDETERMINISM, &(struct failure_details){.pc = op->pc},
                 DIFFERS "operation %u, by %s: expected %s, got %s%s", rt.pos.depth, who,
                 op_kind_name((int)step->kind), op_kind_name(op->kind),
                 step->kind != op->kind   ? ""
                 : step->object != object ? " of another object"
                                          : " with another result");
    struct board_failure *failure = failure_current();
    failure->expected = step->pc;
    failure->address = object;
    schedule_end(OUTCOME_FAILED);
}

/* The strategy can't follow the path of an earlier execution. If this execution repeats the
 * last one or a given schedule, the choice that the strategy wanted is still on the board. */
void schedule_note_divergence(void)
{
    uint32_t n = rt.board->nschedule;
    uint32_t wanted = rt.board->schedule[n];
    bool known = rt.recording || (before.same_so_far && n < before.length);
    rt.on = false;
    if (known && wanted < rt.used) {
        char who[16];
        bool can = threadset_has(&rt.pos.enabled, (int)wanted);
        const struct step *step = &before.step[n];
        bool told = !rt.recording && before.did[n] != 0;
        name_thread(who, sizeof who, (int)wanted);
        failure_note(FAILURE_NONDETERMINISM,
                     &(struct failure_details){.pc = rt.pending[wanted].pc},
                     DIFFERS "operation %u, by %s: expected %s, got %s%s", rt.pos.depth + 1,
                     who, told ? op_kind_name((int)step->kind) : "one that can run",
                     op_kind_name(rt.pending[wanted].kind), can ? "" : ", which has to wait");
        failure_current()->expected = told ? step->pc : 0;
    } else {
        failure_note(FAILURE_NONDETERMINISM, &(struct failure_details){0},
                     DIFFERS "after operation %u, the threads that could run, or their next "
                             "operations, were not the same",
                     rt.pos.depth);
    }
}

static void raise_divergence(void)
{
    schedule_note_divergence();
    schedule_end(OUTCOME_DIVERGED);
}

/* As long as this execution makes the same choices as the previous one, it must do the same:
 * otherwise the program depends on something that is not under control. This check finds more
 * than the strategies do, since they run as few prefixes twice as they can. */
static inline void compare_with_before(const struct op *op)
{
    uint32_t at = rt.board->nschedule - 1;
    uint32_t did = before.did[at];
    uint64_t object = op->nobjects > 0 ? op->object[0] : 0;
    uint32_t what = hash_slot(object, 32) ^ (uint32_t)op->kind << 16 ^ op->flags;
    what |= 1;
    if (did == what)
        return;
    if (UNLIKELY(before.same_so_far && did != 0))
        raise_difference(&before.step[at], op, object);
    before.did[at] = what;
    before.step[at] = (struct step){op->kind, object, op->pc};
}

/* Can the thread's pending operation be executed? A timed one that could only time out counts
 * if time-outs may happen at any time, or once its deadline has passed. */
static bool can_run(struct thread *thread)
{
    bool expired = thread->time.timed_out;
    if (UNLIKELY(thread->signals.interrupted))
        return true;
    if (!expired && thread->wait.ready(thread))
        return true;
    if (thread->time.deadline == NEVER)
        return false;
    if (!rt.any_timeouts && thread->time.deadline > thread->time.now)
        return false;
    thread->time.timed_out = true;
    bool can = thread->wait.ready(thread);
    thread->time.timed_out = expired;
    return can;
}

static void refresh_enabled(void)
{
    for (int t = threadset_next(&rt.blocking, 0); t >= 0;
         t = threadset_next(&rt.blocking, t + 1)) {
        if (can_run(&rt.thread[t]))
            threadset_add(&rt.pos.enabled, t);
        else
            threadset_remove(&rt.pos.enabled, t);
    }
    rt.stale = false;
}

bool schedule_pass_time(void)
{
    uint64_t nearest = NEVER;
    for (int t = threadset_next(&rt.blocking, 0); t >= 0;
         t = threadset_next(&rt.blocking, t + 1)) {
        const struct thread *thread = &rt.thread[t];
        if (thread->time.deadline > thread->time.now && thread->time.deadline < nearest)
            nearest = thread->time.deadline;
    }
    if (UNLIKELY(calls_up.timers_next() <= nearest) && calls_up.timers_next() != NEVER) {
        calls_up.timers_fire();
        refresh_enabled();
        return true;
    }
    if (nearest == NEVER)
        return false;
    for (int t = threadset_next(&rt.blocking, 0); t >= 0;
         t = threadset_next(&rt.blocking, t + 1))
        if (rt.thread[t].time.deadline == nearest)
            rt.thread[t].time.now = nearest;
    refresh_enabled();
    return true;
}

/* Would switching away be a preemption where --preempt-only or --no-preempt forbids it? */
static bool is_withheld(const struct thread *last)
{
    if (!threadset_has(&rt.pos.enabled, last->slot) ||
        (rt.pending[last->slot].flags & OP_YIELDS) || !places_forbid_preemption(last))
        return false;
    if (threadset_count(&rt.pos.enabled) > 1)
        raise_reason(REASON_PLACES, NULL);
    return true;
}

/* Must the thread continue, because it is in a mazur_atomic or mazur_no_preempt region? */
static bool must_go_on(const struct thread *last)
{
    if (UNLIKELY(rt.board->history_phase == HISTORY_SERIAL) && calls_up.history_goes_on())
        return threadset_has(&rt.pos.enabled, last->slot);
    if (UNLIKELY(rt.preempts_by_place) && is_withheld(last))
        return true;
    if (LIKELY(last->atomic == 0 && last->no_preempt == 0))
        return false;
    bool yields = rt.pending[last->slot].flags & OP_YIELDS;
    return threadset_has(&rt.pos.enabled, last->slot) && (last->atomic > 0 || !yields);
}

static int ask_for_thread(void *unused)
{
    (void)unused;
    return UNLIKELY(rt.probing) ? calls_up.endless_probe_pick(&rt.pos)
                                : search_pick(rt.search, &rt.pos);
}

static int ask_for_choice(void *count)
{
    return UNLIKELY(rt.probing) ? 0 : search_choose(rt.search, *(int *)count);
}

/* The search sees no other enabled thread. */
static int pick_alone(int self)
{
    threadset all = rt.pos.enabled;
    threadset_clear(&rt.pos.enabled);
    threadset_add(&rt.pos.enabled, self);
    rt.pos.alone = true;
    int tid = fiber_call(ask_for_thread, NULL, rt.search_stack);
    rt.pos.alone = false;
    rt.pos.enabled = all;
    return tid;
}

static int pick_thread(void)
{
    if (UNLIKELY(rt.has_invariants))
        calls_up.invariants_check();
    if (rt.stale)
        refresh_enabled();
    while (UNLIKELY(threadset_empty(&rt.pos.enabled))) {
        calls_up.look_ahead_judge_assumed();
        if (rt.symmetric && symmetry_release()) {
            refresh_enabled();
        } else if (UNLIKELY(rt.stops_loops) && calls_up.busy_loop_try_again()) {
            refresh_enabled();
        } else if (!schedule_pass_time()) {
            calls_up.look_ahead_judge();
            if (UNLIKELY(rt.looking_ahead))
                return rt.current;
            int doubtful = calls_up.spin_prove_again();
            if (UNLIKELY(doubtful >= 0))
                return doubtful; /* on trial */
            calls_up.history_stuck();
            calls_up.raise_deadlock();
        }
    }
    if (UNLIKELY(rt.pos.depth >= rt.look_at))
        calls_up.endless_look();
    if (UNLIKELY(rt.board->stop > 1)) {
        rt.torn = true;
        schedule_end(OUTCOME_PRUNED);
    }
    rt.pos.section = rt.self->atomic > 0 || rt.self->no_preempt > 0;
    if (UNLIKELY(rt.pos.depth >= rt.mark_at))
        calls_up.offer_mark();
    bool alone = must_go_on(rt.self);
    if (UNLIKELY(rt.notes_prefix))
        prefix_note(alone);
    int tid =
        alone ? pick_alone(rt.current) : fiber_call(ask_for_thread, NULL, rt.search_stack);
    if (UNLIKELY(tid == PICK_DIVERGED))
        raise_divergence();
    if (UNLIKELY(tid < 0))
        schedule_end(OUTCOME_PRUNED);
    must((uint32_t)tid < rt.used);
    append_choice((uint32_t)tid);
    rt.board->heartbeat++;
    rt.plain_reads = 0;
    rt.pos.last = tid;
    rt.pos.depth++;
    return UNLIKELY(rt.recording) ? calls_up.record_switch(tid) : tid;
}

static void switch_to(int tid)
{
    struct thread *from = rt.self;
    struct thread *to = &rt.thread[tid];
    rt.current = tid;
    rt.self = to;
    to->live_low = UINT64_MAX;
    if (from->state == THREAD_FINISHED)
        fiber_jump(&to->fiber);
    fiber_swap(&from->fiber, &to->fiber);
}

static inline void announce_op(const struct op *op)
{
    rt.on = rt.rushing = false;
    rt.self->only_trapped = false;
    rt.pending[rt.current] = *op;
    if (UNLIKELY(rt.self->atomic > 0 || rt.self->no_preempt > 0)) /* op.h */
        rt.pending[rt.current].flags |= OP_GLOBAL;
    if (UNLIKELY(rt.symmetric))
        symmetry_announce();
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (here < rt.self->stack_low && thread_owns_stack(rt.self, here))
        rt.self->stack_low = here;
    if (UNLIKELY(rt.notes_entries))
        calls_up.fingerprint_note_entry(rt.self, op->pc);
    if (UNLIKELY(rt.recording))
        calls_up.record_pending(op);
}

/* Waits to be picked. Returns false if a signal came instead: the operation must be announced
 * again. */
static bool take_turn(void)
{
    int tid = pick_thread();
    if (tid != rt.current)
        switch_to(tid);
    return LIKELY(!rt.self->signals.interrupted);
}

/* Waits until the operation is ready and picked. Returns false if a signal came instead. */
static bool block_once(const struct op *op, bool (*ready)(struct thread *))
{
    announce_op(op);
    rt.self->wait.ready = ready;
    rt.self->state = THREAD_BLOCKED;
    threadset_add(&rt.blocking, rt.current);
    rt.stale = true;
    bool picked = take_turn();
    rt.self->state = THREAD_RUNNABLE;
    threadset_remove(&rt.blocking, rt.current);
    return picked;
}

static void block_until(const struct op *op, bool (*ready)(struct thread *))
{
    while (!block_once(op, ready))
        calls_up.signals_deliver();
}

/* Is it an operation of a loop that is treated as a wait? Then it has had its turn. After a
 * signal this is decided again: the handler's operations are part of the thread's past, too. */
static bool point_waits(const struct op *op, bool (*ready)(struct thread *))
{
    const struct op *await;
    while ((await = calls_up.waits_for_change(op, ready))) {
        if (block_once(await, calls_up.waits_ready)) {
            calls_up.waits_over();
            return true;
        }
        calls_up.signals_deliver();
        rt.self->time.deadline = NEVER; /* of the wait that is over */
    }
    return false;
}

void schedule_point(const struct op *op)
{
    if (UNLIKELY(rt.on_trial)) {
        calls_up.spin_trial_point(op);
        return;
    }
    if (UNLIKELY(rt.waits) && point_waits(op, NULL))
        return;
    for (;;) {
        announce_op(op);
        threadset_add(&rt.pos.enabled, rt.current);
        if (take_turn())
            return;
        calls_up.signals_deliver();
    }
}

void schedule_point_blocking(const struct op *op, bool (*ready)(struct thread *))
{
    rt.self->time.timed_out = false; /* the previous operation may have timed out */
    if (UNLIKELY(rt.on_trial)) {
        rt.self->wait.ready = ready;
        calls_up.spin_trial_point(op);
        return;
    }
    if (UNLIKELY(rt.waits) && point_waits(op, ready))
        return;
    if (op->flags & OP_TIMED)
        rt.saw_timed = true;
    block_until(op, ready);
}

bool schedule_timed_out(void)
{
    struct thread *self = rt.self;
    bool normal = !self->time.timed_out && self->wait.ready(self);
    bool expired = false;
    if (self->time.deadline != NEVER &&
        (rt.any_timeouts || self->time.deadline <= self->time.now)) {
        self->time.timed_out = true;
        expired = self->wait.ready(self);
    }
    self->time.timed_out = expired && (!normal || (rt.any_timeouts && schedule_choose(2) == 1));
    if (self->time.timed_out && self->time.deadline > self->time.now)
        self->time.now = self->time.deadline;
    self->time.deadline = NEVER;
    return self->time.timed_out;
}

void schedule_done(const struct op *op)
{
    if (UNLIKELY(rt.on_trial)) {
        calls_up.spin_trial_done(op);
        return;
    }
    rt.done = *op;
    rt.done_step = rt.pos.depth;
    rt.pos.done = &rt.done;
    compare_with_before(op);
    /* It timed out because no other thread could run: everything so far happens before it. */
    if (UNLIKELY(op->flags & OP_TIMED_OUT) && !rt.any_timeouts)
        rt.done.flags |= OP_GLOBAL;
    if (UNLIKELY(rt.waits)) {
        calls_up.waits_done(op);
        calls_up.waits_add_awaited(&rt.done);
    }
    if (UNLIKELY(rt.symmetric))
        symmetry_done();
    if (op->flags & (OP_WRITES | OP_MAY_RELEASE)) {
        rt.stale = true;
        spin_progress(rt.self);
    }
    if (UNLIKELY(rt.recording))
        calls_up.record_event(op);
    if (UNLIKELY(op->flags & (OP_YIELDS | OP_MAY_BLOCK | OP_TIMED)))
        rt.self->spin.yielded = true;
    if (UNLIKELY(op->flags & OP_YIELDS))
        calls_up.waits_yielded();
    rt.on = true;
    if (UNLIKELY(rt.store_buffers))
        calls_up.store_buffers_done(&rt.done);
}

void schedule_leave(void)
{
    rt.on = false;
    rt.self->state = THREAD_FINISHED;
    rt.pending[rt.current].kind = OP_NONE;
    threadset_remove(&rt.pos.enabled, rt.current);
    rt.alive--;
    switch_to(pick_thread());
    __builtin_unreachable();
}

void schedule_note_end(enum outcome outcome)
{
    rt.on = false;
    rt.outcome = outcome;
    if (rt.done_step != rt.pos.depth) { /* the last step failed before its operation was done */
        rt.done = rt.pending[rt.current];
        rt.pos.done = &rt.done;
    }
}

void schedule_end(enum outcome outcome)
{
    schedule_note_end(outcome);
    if (UNLIKELY(rt.os_threads))
        executor_end(outcome);
    fiber_jump(&rt.driver);
}

void schedule_start_over(void)
{
    rt.board->start_over = 1;
    schedule_end(OUTCOME_PRUNED);
}

/* Features that partial-order reduction does not support. An invariant looks at states in the
 * middle of an execution, and a reduction visits only some of these. A signal or a cancellation
 * changes what another thread does next, while the reductions assume that only a thread's own
 * steps change its pending operation. */
static bool avoid_reductions(enum claim_reason reason)
{
    if (!auto_leave_reductions(&rt.board->config.search))
        return false;
    raise_reason(reason, NULL);
    return true;
}

void schedule_leave_reductions(void)
{
    if (rt.recording)
        return;
    if (rt.simplifying) {
        if (!rt.board->config.simplify.reduce)
            return;
        rt.board->config.simplify.reduce = false;
        schedule_start_over();
    }
    if (avoid_reductions(REASON_NO_REDUCTION))
        schedule_start_over();
}

void schedule_by_place(void)
{
    if (!rt.recording && !rt.simplifying)
        avoid_reductions(REASON_NO_REDUCTION_BY_PLACE);
}

int schedule_choose(int n)
{
    if (n <= 1)
        return 0;
    if (UNLIKELY(rt.on_trial))
        calls_up.spin_trial_fail();
    bool was_on = rt.on;
    rt.on = false;
    rt.notes_prefix = false; /* another execution may choose otherwise */
    int value = fiber_call(ask_for_choice, &n, rt.search_stack);
    if (value == PICK_DIVERGED)
        raise_divergence();
    if (value < 0)
        schedule_end(OUTCOME_PRUNED);
    append_choice(BOARD_CHOICE | (uint32_t)value);
    rt.on = was_on;
    return value;
}

/* What main did in that step is known and does not change: `before` already holds it. */
int schedule_repeat(bool alone)
{
    struct board *board = rt.board;
    int tid = alone ? pick_alone(0) : fiber_call(ask_for_thread, NULL, rt.search_stack);
    if (tid != 0)
        return tid;
    if (board->nschedule >= before.length)
        before.same_so_far = false;
    board->schedule[board->nschedule++] = 0;
    return 0;
}

void schedule_go_on(uint32_t n, bool known)
{
    rt.board->nschedule = n;
    before.same_so_far = known && n <= before.length;
    if (!before.same_so_far)
        __builtin_memset(before.did, 0, n * sizeof *before.did);
}

void schedule_begin(void)
{
    if (!before.did) {
        before.did = rt_map_table(BOARD_SCHEDULE * sizeof *before.did);
        before.step = rt_map_table(BOARD_SCHEDULE * sizeof *before.step);
    }
    bool forked = rt.board->config.isolate == ISOLATE_FORK; /* it ran in another process */
    before.same_so_far = true;
    before.length = rt.recording || forked ? 0 : rt.board->nschedule;
    before.given = rt.board->nschedule;
    rt.board->nschedule = 0;
    rt.pos.depth = 0;
    rt.pos.last = -1;
    rt.pos.nthreads = 1;
    rt.pos.pending = rt.pending;
    rt.pos.fingerprint = rt.fingerprints ? calls_up.fingerprint_state : NULL;
    rt.pos.done = NULL;
    rt.done_step = 0;
    threadset_clear(&rt.pos.enabled);
    threadset_clear(&rt.blocking);
    rt.stale = false;
    rt.exiting = false;
    rt.exit_status = 0;
    rt.on_trial = false;
    for (uint32_t t = 0; t < rt.used; t++) {
        rt.thread[t].state = THREAD_NONE;
        rt.pending[t].kind = OP_NONE;
    }
    rt.used = 1;
    rt.alive = 1;
}
