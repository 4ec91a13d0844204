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

/* "main's signal q.not_empty (q.c:46, #16) wakes T2; T1, which waits for the same condition
 * (#11), is not woken": the signal came while `stuck` waited, and went to another thread. */
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
    add_actor(&out, trace, signal);
    buffer_text(&out, " wakes ");
    add_thread(&out, trace, trace->event[signal].other);
    if (again != TRACE_NO_EVENT)
        buffer_printf(&out, ", which waits again (#%u)", again + 1);
    buffer_text(&out, "; ");
    add_thread(&out, trace, stuck);
    buffer_printf(&out, ", which waits for the same condition (#%u), is not woken", wait + 1);
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

/* A signal that came before the wait. */
static char *early_signal_sentence(const struct trace *trace, int stuck)
{
    const char *condition = awaited_condition(trace, stuck);
    uint32_t lost = find_lost_wakeup(trace, stuck);
    if (lost == TRACE_NO_EVENT ||
        lost != find_last_signal(trace, condition, 0, (uint32_t)trace->nevents))
        return NULL;
    struct buffer out = {0};
    add_actor(&out, trace, lost);
    buffer_text(&out, " finds nobody waiting; ");
    add_thread(&out, trace, stuck);
    buffer_text(&out, " waits for it later, and for ever");
    return buffer_take(&out);
}

/* "T1 holds a and waits for b, which T2 holds" */
static void add_wait(struct buffer *out, const struct trace *trace, int tid)
{
    const struct trace_thread *thread = &trace->thread[tid];
    add_thread(out, trace, tid);
    for (size_t i = 0; i < thread->nlocks; i++) {
        buffer_text(out, i ? ", " : " holds ");
        add_clean(out, thread->lock[i].name);
    }
    buffer_text(out, thread->nlocks ? " and waits for " : " waits for ");
    if (thread->pending.kind == OP_JOIN) {
        buffer_text(out, "the end of ");
        add_clean(out, thread->pending.object);
    } else {
        add_clean(out, thread->pending.object);
        buffer_text(out, ", which ");
        add_thread(out, trace, thread->waits_for);
        buffer_text(out, thread->waits_for == tid ? " itself holds" : " holds");
    }
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
        do {
            buffer_text(&out, out.length ? "; " : "");
            add_wait(&out, trace, at);
            at = trace->thread[at].waits_for;
        } while (at >= 0 && at != (int)i);
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
    buffer_text(&out, awaited_condition(trace, tid) ? " waits for " : " waits at ");
    add_pending_phrase(&out, trace, tid);
    add_line(&out, &trace->thread[tid].stack);
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
    char *text = circle_sentence(trace);
    for (size_t i = 0; i < trace->nthreads && !text; i++)
        if (trace->thread[i].state == THREAD_BLOCKED)
            text = early_signal_sentence(trace, (int)i);
    return text || trace->recipe.model ? text : stuck_sentence(trace);
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
