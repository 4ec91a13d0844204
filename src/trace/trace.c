/* See trace.h. */
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "trace/verdict.h"

struct trace *trace_new(void)
{
    struct trace *trace = allocate(sizeof *trace);
    trace->inflection = TRACE_NO_EVENT;
    trace->simplest.inflection = UINT32_MAX;
    return trace;
}

void trace_free(struct trace *trace)
{
    if (!trace)
        return;
    arena_free(&trace->arena);
    free(trace);
}

uint32_t *trace_next_events(const struct trace *trace)
{
    uint32_t *next = allocate((trace->nevents + 1) * sizeof *next);
    uint32_t *later = allocate((trace->nthreads + 1) * sizeof *later);
    for (size_t i = 0; i < trace->nthreads; i++)
        later[i] = TRACE_NO_EVENT;
    for (size_t i = trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        must((size_t)event->tid < trace->nthreads && event->from < (int)trace->nthreads);
        next[i] = event->from >= 0 ? later[event->from] : TRACE_NO_EVENT;
        later[event->tid] = (uint32_t)i;
    }
    free(later);
    return next;
}

size_t trace_switches(const struct trace *trace)
{
    size_t switches = 0;
    for (size_t i = 0; i < trace->nevents; i++)
        switches += trace->event[i].reason != SWITCH_NONE;
    return switches;
}

/* The first of the stuck threads that is not just joining another thread explains the most; the
 * main thread usually joins. */
/* Does a thread wait for the end of this one? */
static bool is_joined(const struct trace *trace, int tid)
{
    for (size_t i = 0; i < trace->nthreads; i++) {
        const struct trace_thread *thread = &trace->thread[i];
        if (thread->state == THREAD_BLOCKED && thread->pending.kind == OP_JOIN &&
            thread->waits_for == tid)
            return true;
    }
    return false;
}

int trace_failing_thread(const struct trace *trace)
{
    if (!failure_has(trace->failure.kind, FAILURE_WAITS))
        return trace->failure.tid;
    int best = trace->failure.tid;
    bool best_joined = false;
    for (size_t i = trace->nthreads; i-- > 0;) {
        const struct trace_thread *thread = &trace->thread[i];
        bool joined = is_joined(trace, (int)i);
        if (thread->state == THREAD_BLOCKED && thread->pending.kind != OP_JOIN &&
            (joined || !best_joined)) {
            best = (int)i;
            best_joined = joined;
        }
    }
    return best;
}

const struct source_place *trace_location(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    int tid = trace_failing_thread(trace);
    if (tid >= 0 && tid != failure->tid && trace->thread[tid].stack.count)
        return stack_user_place(&trace->thread[tid].stack);
    if (failure->stack.count)
        return stack_user_place(&failure->stack);
    if (failure->naccesses)
        return stack_user_place(&failure->access[failure->naccesses - 1].stack);
    if (failure->tid >= 0 && (size_t)failure->tid < trace->nthreads)
        return stack_user_place(&trace->thread[failure->tid].stack);
    return NULL;
}

char *thread_label(const struct trace *trace, int tid)
{
    if (tid < 0)
        return copy_text("?");
    if (trace->recipe.model && (size_t)tid < trace->nthreads)
        return copy_text(trace->thread[tid].name);
    if (tid == 0)
        return copy_text("main");
    if ((size_t)tid < trace->nthreads && trace->thread[tid].name[0])
        return format_text("T%d %s", tid, trace->thread[tid].name);
    return format_text("T%d", tid);
}
