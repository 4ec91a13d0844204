/* The scheduler: a function on the stack of the thread that has arrived at an operation, not
 * a fiber of its own (DESIGN 2.4).
 *
 *     hook            schedule_point(op)
 *                       pending[self] = op, refresh the enabled set
 *                       tid = search_pick(position)           append to board->schedule
 *                       tid == self ? return : fiber_swap(self, tid)
 *                     … effect of the operation …
 *                     schedule_done(final form)
 *
 * A thread that comes back from fiber_swap has been picked: its operation is enabled and is
 * executed now. Invariant: between two points exactly the picked thread changes the program's
 * state, so the enabled set only has to be refreshed after operations that can release or
 * write something (`rt.stale`). */
#include "runtime/runtime.h"

#include "runtime/race.h"

struct runtime rt __attribute__((visibility("hidden")));

static inline void append_choice(uint32_t choice)
{
    struct board *board = rt.board;
    uint32_t n = board->nschedule;
    if (UNLIKELY(n >= BOARD_SCHEDULE))
        schedule_end(OUTCOME_CUT);
    board->schedule[n] = choice;
    board->nschedule = n + 1;
}

/* Can the thread's pending operation be executed? A timed one that would have to time out
 * counts where time-outs may come at any time, or once its deadline has passed. */
static bool can_run(struct thread *thread)
{
    bool expired = thread->timed_out;
    if (!expired && thread->ready(thread))
        return true;
    if (thread->deadline == NEVER)
        return false;
    if (!rt.any_timeouts && thread->deadline > thread->now)
        return false;
    thread->timed_out = true;
    bool can = thread->ready(thread);
    thread->timed_out = expired;
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

/* Nothing can run: let time pass up to the nearest deadline. False: there is none. */
static bool pass_time(void)
{
    uint64_t nearest = NEVER;
    for (int t = threadset_next(&rt.blocking, 0); t >= 0;
         t = threadset_next(&rt.blocking, t + 1)) {
        const struct thread *thread = &rt.thread[t];
        if (thread->deadline > thread->now && thread->deadline < nearest)
            nearest = thread->deadline;
    }
    if (nearest == NEVER)
        return false;
    for (int t = threadset_next(&rt.blocking, 0); t >= 0;
         t = threadset_next(&rt.blocking, t + 1))
        if (rt.thread[t].deadline == nearest)
            rt.thread[t].now = nearest;
    refresh_enabled();
    return true;
}

/* Executing nothing but `self` is allowed: inside mazur_atomic_begin/end. */
static int pick_alone(int self)
{
    threadset all = rt.pos.enabled;
    threadset_clear(&rt.pos.enabled);
    threadset_add(&rt.pos.enabled, self);
    int tid = search_pick(rt.search, &rt.pos);
    rt.pos.enabled = all;
    return tid;
}

static int pick(void)
{
    if (UNLIKELY(rt.has_invariants))
        invariants_check();
    if (rt.stale)
        refresh_enabled();
    while (UNLIKELY(threadset_empty(&rt.pos.enabled)))
        if (!pass_time())
            failure_deadlock();
    if (UNLIKELY(rt.pos.depth >= rt.board->config.depth))
        schedule_end(OUTCOME_CUT);
    if (UNLIKELY(rt.board->stop != 0))
        schedule_end(OUTCOME_PRUNED);
    struct thread *last = rt.self;
    int tid = UNLIKELY(last->no_preempt > 0) && threadset_has(&rt.pos.enabled, last->slot)
                  ? pick_alone(last->slot)
                  : search_pick(rt.search, &rt.pos);
    if (UNLIKELY(tid < 0))
        schedule_end(tid == PICK_DIVERGED ? OUTCOME_DIVERGED : OUTCOME_PRUNED);
    append_choice((uint32_t)tid);
    rt.board->heartbeat++;
    if (UNLIKELY(rt.recording))
        record_switch(tid);
    rt.pos.last = tid;
    rt.pos.depth++;
    return tid;
}

static void switch_to(int tid)
{
    struct thread *from = rt.self;
    struct thread *to = &rt.thread[tid];
    rt.current = tid;
    rt.self = to;
    if (from->state == THREAD_FINISHED)
        fiber_jump(&to->fiber);
    fiber_swap(&from->fiber, &to->fiber);
}

static inline void announce(const struct op *op)
{
    rt.on = false;
    rt.pending[rt.current] = *op;
}

void schedule_point(const struct op *op)
{
    announce(op);
    threadset_add(&rt.pos.enabled, rt.current);
    int tid = pick();
    if (tid != rt.current)
        switch_to(tid);
}

void schedule_point_blocking(const struct op *op, bool (*ready)(struct thread *))
{
    announce(op);
    rt.self->ready = ready;
    rt.self->state = THREAD_BLOCKED;
    threadset_add(&rt.blocking, rt.current);
    rt.stale = true;
    int tid = pick();
    if (tid != rt.current)
        switch_to(tid);
    rt.self->state = THREAD_RUNNABLE;
    threadset_remove(&rt.blocking, rt.current);
}

bool schedule_timed_out(void)
{
    struct thread *self = rt.self;
    bool normal = !self->timed_out && self->ready(self);
    bool expired = false;
    if (self->deadline != NEVER && (rt.any_timeouts || self->deadline <= self->now)) {
        self->timed_out = true;
        expired = self->ready(self);
    }
    self->timed_out = expired && (!normal || (rt.any_timeouts && schedule_choose(2) == 1));
    if (self->timed_out && self->deadline > self->now)
        self->now = self->deadline;
    self->deadline = NEVER;
    return self->timed_out;
}

void schedule_done(const struct op *op)
{
    rt.done = *op;
    rt.pos.done = &rt.done;
    if (op->flags & (OP_WRITES | OP_MAY_RELEASE)) {
        rt.stale = true;
        spin_progress(rt.self);
    }
    if (UNLIKELY(rt.recording))
        record_event(op);
    rt.on = true;
}

void schedule_leave(void)
{
    rt.on = false;
    rt.self->state = THREAD_FINISHED;
    rt.pending[rt.current].kind = OP_NONE;
    threadset_remove(&rt.pos.enabled, rt.current);
    rt.alive--;
    switch_to(pick());
    __builtin_unreachable();
}

void schedule_end(enum outcome outcome)
{
    rt.on = false;
    rt.outcome = outcome;
    fiber_jump(&rt.driver);
}

int schedule_choose(int n)
{
    if (n <= 1)
        return 0;
    bool was_on = rt.on;
    rt.on = false;
    int value = search_choose(rt.search, n);
    if (value < 0)
        schedule_end(value == PICK_DIVERGED ? OUTCOME_DIVERGED : OUTCOME_PRUNED);
    append_choice(BOARD_CHOICE | (uint32_t)value);
    rt.on = was_on;
    return value;
}

void schedule_begin(void)
{
    rt.board->nschedule = 0;
    rt.pos.depth = 0;
    rt.pos.last = -1;
    rt.pos.nthreads = 1;
    rt.pos.pending = rt.pending;
    rt.pos.done = NULL;
    threadset_clear(&rt.pos.enabled);
    threadset_clear(&rt.blocking);
    rt.stale = false;
    rt.exiting = false;
    rt.exit_status = 0;
    for (uint32_t t = 0; t < rt.used; t++) {
        rt.thread[t].state = THREAD_NONE;
        rt.pending[t].kind = OP_NONE;
    }
    rt.used = 1;
    rt.alive = 1;
}
