/* The gist of a failure in which threads wait: signals that did not reach them, locks that they
 * hold and want. gist.c decides the order. */
#include <string.h>

#include "report/text/gist_private.h"
#include "trace/verdict.h"

/* The event, after `signal`, with which the thread that it woke waits for the same condition
 * again; TRACE_NO_EVENT: it used the wake-up. */
static uint32_t waits_again(const struct trace *trace, uint32_t signal, int tid)
{
    const char *condition = trace->event[signal].operation.object;
    for (uint32_t i = signal + 1; i < trace->nevents; i++) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid != tid || event->operation.kind == OP_COND_WAKE)
            continue;
        bool again = event->operation.kind == OP_COND_WAIT &&
                     strcmp(event->operation.object, condition) == 0;
        return again ? i : TRACE_NO_EVENT;
    }
    return TRACE_NO_EVENT;
}

/* The event with which the thread began the wait in which it is stuck. */
static uint32_t find_wait(const struct trace *trace, int tid)
{
    for (uint32_t i = (uint32_t)trace->nevents; i-- > 0;)
        if (trace->event[i].tid == tid && trace->event[i].operation.kind == OP_COND_WAIT)
            return i;
    return TRACE_NO_EVENT;
}

/* The last signal or broadcast of the condition in events `first` to `end` - 1. */
static uint32_t find_last_signal(const struct trace *trace, const char *condition,
                                 uint32_t first, uint32_t end)
{
    for (uint32_t i = end; i-- > first;) {
        const struct trace_operation *operation = &trace->event[i].operation;
        if ((operation->kind == OP_COND_SIGNAL || operation->kind == OP_COND_BROADCAST) &&
            strcmp(operation->object, condition) == 0)
            return i;
    }
    return TRACE_NO_EVENT;
}

/* ", and no thread is left that could signal" if every thread has ended or is stuck. */
static void add_nobody_left(struct buffer *out, const struct trace *trace, const char *what)
{
    for (size_t i = 0; i < trace->nthreads; i++)
        if (trace->thread[i].state != THREAD_BLOCKED &&
            trace->thread[i].state != THREAD_FINISHED)
            return;
    buffer_printf(out, ", and no thread is left that could %s", what);
}

/* "lost wake-up: main's signal q.not_empty (q.c:46, #16) wakes only T2; T1 waits for the same
 * condition variable (#11), and no thread is left that could signal": the signal came while
 * `stuck` waited, and went to another thread. */
static char *passed_over_sentence(const struct trace *trace, int stuck)
{
    const char *condition = awaited_condition(trace, stuck);
    uint32_t wait = condition ? find_wait(trace, stuck) : TRACE_NO_EVENT;
    if (wait == TRACE_NO_EVENT)
        return NULL;
    uint32_t signal = find_last_signal(trace, condition, wait + 1, (uint32_t)trace->nevents);
    if (signal == TRACE_NO_EVENT || trace->event[signal].operation.kind != OP_COND_SIGNAL ||
        trace->event[signal].other < 0 || trace->event[signal].other == stuck)
        return NULL;
    struct buffer out = {0};
    uint32_t again = waits_again(trace, signal, trace->event[signal].other);
    buffer_text(&out, "lost wake-up: ");
    add_actor(&out, trace, signal);
    buffer_text(&out, " wakes only ");
    add_thread(&out, trace, trace->event[signal].other);
    if (again != TRACE_NO_EVENT)
        buffer_printf(&out, ", which waits again (#%u)", again + 1);
    buffer_text(&out, "; ");
    add_thread(&out, trace, stuck);
    buffer_printf(&out, " waits for the same condition variable (#%u)", wait + 1);
    add_nobody_left(&out, trace, "signal");
    return buffer_take(&out);
}

uint32_t find_lost_wakeup(const struct trace *trace, int tid)
{
    const char *condition = awaited_condition(trace, tid);
    uint32_t wait = condition && *condition ? find_wait(trace, tid) : TRACE_NO_EVENT;
    if (wait == TRACE_NO_EVENT ||
        find_last_signal(trace, condition, wait, (uint32_t)trace->nevents) != TRACE_NO_EVENT)
        return TRACE_NO_EVENT; /* it came in time, and went to another thread */
    uint32_t signal = wait;
    do
        signal = find_last_signal(trace, condition, 0, signal);
    while (signal != TRACE_NO_EVENT && trace->event[signal].other >= 0);
    return signal;
}

/* "lost wake-up: main's signal ready (pool.cpp:49, #46) finds nobody waiting; T1 waits for it
 * later (#51), and no thread is left that could signal" */
static char *describe_early_signal(const struct trace *trace, int stuck)
{
    const char *condition = awaited_condition(trace, stuck);
    uint32_t lost = find_lost_wakeup(trace, stuck);
    if (lost == TRACE_NO_EVENT ||
        lost != find_last_signal(trace, condition, 0, (uint32_t)trace->nevents))
        return NULL;
    struct buffer out = {0};
    buffer_text(&out, "lost wake-up: ");
    add_actor(&out, trace, lost);
    buffer_text(&out, " finds nobody waiting; ");
    add_thread(&out, trace, stuck);
    buffer_printf(&out, " waits for it later (#%u)", find_wait(trace, stuck) + 1);
    add_nobody_left(&out, trace, "signal");
    return buffer_take(&out);
}

char *early_signal_sentence(const struct trace *trace)
{
    char *text = NULL;
    for (size_t i = 0; i < trace->nthreads && !text && !trace->recipe.model; i++)
        if (trace->thread[i].state == THREAD_BLOCKED)
            text = describe_early_signal(trace, (int)i);
    return text;
}

static bool holds_lock(const struct trace_thread *thread, const char *name)
{
    for (size_t i = 0; i < thread->nlocks; i++)
        if (strcmp(thread->lock[i].name, name) == 0)
            return true;
    return false;
}

/* "T1 holds a and waits for b", which the next thread of the circle is said to hold. `behind`:
 * the thread that waits for this one; what it waits for is what matters. */
static void add_wait(struct buffer *out, const struct trace *trace, int tid, int behind)
{
    const struct trace_thread *thread = &trace->thread[tid];
    const char *wanted = trace->thread[behind].pending.object;
    bool alone = thread->waits_for == tid;
    add_thread(out, trace, tid);
    if (holds_lock(thread, wanted) && !alone) {
        buffer_text(out, " holds ");
        add_clean(out, wanted);
        buffer_text(out, " and");
    }
    buffer_text(out, " waits for ");
    if (thread->pending.kind == OP_JOIN)
        buffer_text(out, "the end of ");
    add_clean(out, thread->pending.object);
    if (alone)
        buffer_text(out, ", which it holds itself");
}

/* Does every thread of the circle hold a lock that the one behind it wants? */
static bool is_circle_of_locks(const struct trace *trace, int tid)
{
    int at = tid;
    do {
        int next = trace->thread[at].waits_for;
        if (next == at || trace->thread[at].pending.kind == OP_JOIN ||
            !holds_lock(&trace->thread[next], trace->thread[at].pending.object))
            return false;
        at = next;
    } while (at != tid);
    return true;
}

char *circle_sentence(const struct trace *trace)
{
    struct buffer out = {0};
    for (size_t i = 0; i < trace->nthreads && !out.length; i++) {
        int at = (int)i;
        size_t steps = 0;
        do
            at = trace->thread[at].state == THREAD_BLOCKED ? trace->thread[at].waits_for : -1;
        while (at >= 0 && at != (int)i && ++steps < trace->nthreads);
        if (at != (int)i)
            continue;
        int behind = at;
        while (trace->thread[behind].waits_for != at)
            behind = trace->thread[behind].waits_for;
        do {
            buffer_text(&out, out.length ? "; " : "");
            add_wait(&out, trace, at, behind);
            behind = at;
            at = trace->thread[at].waits_for;
        } while (at >= 0 && at != (int)i);
        if (is_circle_of_locks(trace, at))
            buffer_text(&out, ": lock order inversion");
    }
    return out.length ? buffer_take(&out) : NULL;
}

/* The last signal at or after the inflection point that woke nobody, or TRACE_NO_EVENT. A wake
 * of a futex tells nothing about a thread that waits at another one: libraries wake on the
 * chance. */
static uint32_t find_lost_signal(const struct trace *trace, const char *awaited)
{
    uint32_t first = trace->inflection == TRACE_NO_EVENT ? 0 : trace->inflection;
    for (uint32_t i = (uint32_t)trace->nevents; i-- > first;) {
        const struct trace_operation *operation = &trace->event[i].operation;
        bool signal =
            operation->kind == OP_COND_SIGNAL || operation->kind == OP_COND_BROADCAST ||
            (operation->kind == OP_FUTEX_WAKE && strcmp(operation->object, awaited) == 0);
        if (signal && trace->event[i].other < 0)
            return i;
    }
    return TRACE_NO_EVENT;
}

/* ": T1 and T2 had ended" before the event */
static void add_ended_threads(struct buffer *out, const struct trace *trace, uint32_t index)
{
    int last = -1;
    bool some = false;
    for (uint32_t i = 0; i < index; i++) {
        if (trace->event[i].operation.kind != OP_THREAD_EXIT)
            continue;
        if (last >= 0) {
            buffer_text(out, some ? ", " : ": ");
            add_thread(out, trace, last);
            some = true;
        }
        last = trace->event[i].tid;
    }
    if (last < 0)
        return;
    buffer_text(out, some ? " and " : ": ");
    add_thread(out, trace, last);
    buffer_text(out, " had ended");
}

/* "main waits at std::future<int>::get() (pool.cpp:111) for ever; main's signal ready
 * (pool.cpp:49, #46) found nobody waiting: T1 had ended" */
static char *stuck_sentence(const struct trace *trace)
{
    int tid = trace_failing_thread(trace);
    struct buffer out = {0};
    if (tid < 0 || trace->thread[tid].pending.kind == OP_NONE)
        return NULL;
    uint32_t lost = find_lost_signal(trace, trace->thread[tid].pending.object);
    add_thread(&out, trace, tid);
    bool call = trace->thread[tid].pending.public_object;
    buffer_text(&out, awaited_condition(trace, tid) ? " waits for "
                      : call                        ? " waits to "
                                                    : " waits at ");
    add_pending_phrase(&out, trace, tid);
    add_line(&out, &trace->thread[tid].stack);
    if (call)
        add_nobody_left(&out, trace,
                        strstr(trace->thread[tid].pending.call, "acquire") ? "release it"
                                                                           : "end that");
    else
        buffer_text(&out, " for ever");
    if (lost != TRACE_NO_EVENT) {
        buffer_text(&out, "; ");
        add_actor(&out, trace, lost);
        buffer_text(&out, " found nobody waiting");
        add_ended_threads(&out, trace, lost);
    }
    return buffer_take(&out);
}

char *waiting_sentence(const struct trace *trace)
{
    if (!failure_has(trace->failure.kind, FAILURE_WAITS))
        return NULL;
    return stuck_sentence(trace);
}

char *not_woken_sentence(const struct trace *trace)
{
    char *text = NULL;
    for (size_t i = 0; i < trace->nthreads && !text; i++)
        if (trace->thread[i].state == THREAD_BLOCKED)
            text = passed_over_sentence(trace, (int)i);
    return text;
}

char *lost_wakeup_sentence(const struct trace *trace)
{
    struct buffer out = {0};
    if (!failure_has(trace->failure.kind, FAILURE_WAITS) || trace->recipe.model ||
        trace->inflection == TRACE_NO_EVENT)
        return NULL;
    for (size_t i = 0; i < trace->nthreads; i++) {
        uint32_t lost = trace->thread[i].state == THREAD_BLOCKED
                            ? find_lost_wakeup(trace, (int)i)
                            : TRACE_NO_EVENT;
        if (lost == TRACE_NO_EVENT || lost < trace->inflection ||
            trace->event[lost].tid != trace->event[trace->inflection].tid)
            continue;
        buffer_text(&out, "lost wake-up: ");
        add_actor(&out, trace, lost);
        buffer_text(&out, " found nobody waiting");
        return buffer_take(&out);
    }
    return NULL;
}
