/* The gist of a failure: for each preemption, which operation of another thread came between
 * which two operations of the preempted thread. A reader should understand that without the
 * table.
 *
 *     T2's load tail (wsq.c:60, #14) comes between T1's load head (wsq.c:26, #9) and store tail
 *     (wsq.c:28, #18)
 *
 * Many operations may have come between. The decisive one is the inflection point if it is
 * among them, else the last one that conflicts with what the preempted thread did around the
 * preemption. If there is none, the preemption is not mentioned.
 *
 * If no preemption explains the failure, a wake-up may: a woken thread does not hold the mutex
 * yet, and another thread may have undone what it was woken for.
 *
 *     T2's lock mutex (buffer.c:31, #12) comes between T3's signal not_empty (buffer.c:25, #9),
 *     which wakes T1, and T1's wake up and lock mutex (buffer.c:33, #16) */
#include "report/text/gist.h"

#include <stdlib.h>
#include <string.h>

#include "report/text/text_private.h"
#include "trace/verdict.h"

#define PREEMPTIONS_TOLD 4

/* The events around one preemption; TRACE_NO_EVENT where there is none. */
struct interruption {
    int tid;         /* who was preempted */
    uint32_t before; /* its last event */
    uint32_t after;  /* its next event */
    uint32_t first;  /* of those in between */
    uint32_t last;
};

static struct interruption find_interruption(const struct trace *trace, uint32_t index)
{
    struct interruption result = {.tid = trace->event[index].from,
                                  .before = TRACE_NO_EVENT,
                                  .after = TRACE_NO_EVENT,
                                  .first = index,
                                  .last = (uint32_t)trace->nevents - 1};
    for (uint32_t i = index; i-- > 0 && result.before == TRACE_NO_EVENT;)
        if (trace->event[i].tid == result.tid)
            result.before = i;
    for (uint32_t i = index; i < trace->nevents && result.after == TRACE_NO_EVENT; i++)
        if (trace->event[i].tid == result.tid) {
            result.after = i;
            result.last = i - 1;
        }
    return result;
}

static bool operations_conflict(const struct trace_operation *a,
                                const struct trace_operation *b)
{
    return *a->object && strcmp(a->object, b->object) == 0 &&
           ((a->flags | b->flags) & OP_WRITES);
}

static uint32_t find_decisive_event(const struct trace *trace,
                                    const struct interruption *interruption)
{
    if (trace->inflection != TRACE_NO_EVENT && trace->inflection >= interruption->first &&
        trace->inflection <= interruption->last)
        return trace->inflection;
    const struct trace_operation *next = interruption->after != TRACE_NO_EVENT
                                             ? &trace->event[interruption->after].operation
                                             : &trace->thread[interruption->tid].pending;
    for (uint32_t i = interruption->last + 1; i-- > interruption->first;) {
        const struct trace_operation *operation = &trace->event[i].operation;
        if (operations_conflict(operation, next) ||
            (interruption->before != TRACE_NO_EVENT &&
             operations_conflict(operation, &trace->event[interruption->before].operation)))
            return i;
    }
    return TRACE_NO_EVENT;
}

/* "load tail (wsq.c:60, #14)" */
static void add_event(struct buffer *out, const struct trace *trace, uint32_t index)
{
    const struct trace_event *event = &trace->event[index];
    const struct source_place *place = stack_user_place(&event->stack);
    add_operation(out, &event->operation);
    buffer_text(out, " (");
    if (place && place->file) {
        add_clean(out, place->file);
        buffer_printf(out, ":%d, ", place->line);
    }
    buffer_printf(out, "#%u)", index + 1);
}

static char *preemption_sentence(const struct trace *trace, uint32_t index)
{
    struct interruption interruption = find_interruption(trace, index);
    uint32_t event = find_decisive_event(trace, &interruption);
    struct buffer out = {0};
    if (interruption.before == TRACE_NO_EVENT || event == TRACE_NO_EVENT)
        return NULL;
    /* a thread that could have continued, and never did, can only matter to the thread that
     * replaced it */
    bool waits = failure_has(trace->failure.kind, FAILURE_WAITS) &&
                 trace->thread[interruption.tid].state == THREAD_BLOCKED;
    if (interruption.after == TRACE_NO_EVENT && !waits &&
        trace->event[event].tid != trace->event[index].tid)
        return NULL;
    add_thread(&out, trace, trace->event[event].tid);
    buffer_text(&out, "'s ");
    add_event(&out, trace, event);
    buffer_text(&out, " comes between ");
    add_thread(&out, trace, interruption.tid);
    buffer_text(&out, "'s ");
    add_event(&out, trace, interruption.before);
    buffer_text(&out, " and ");
    if (interruption.after != TRACE_NO_EVENT) {
        add_event(&out, trace, interruption.after);
    } else {
        add_pending_phrase(&out, trace, interruption.tid);
        buffer_text(&out, ", which it never gets to do");
    }
    return buffer_take(&out);
}

/* The event before `wake` that woke its thread, or TRACE_NO_EVENT. */
static uint32_t find_waker(const struct trace *trace, uint32_t wake)
{
    int tid = trace->event[wake].tid;
    for (uint32_t i = wake; i-- > 0 && trace->event[i].tid != tid;) {
        const struct trace_event *event = &trace->event[i];
        bool wakes = event->operation.kind == OP_COND_SIGNAL ||
                     event->operation.kind == OP_COND_BROADCAST;
        if (wakes && (event->other == tid || threadset_has(&event->woken, tid)))
            return i;
    }
    return TRACE_NO_EVENT;
}

/* Who took the mutex between the failing thread's last wake-up and what woke it. */
static char *wakeup_sentence(const struct trace *trace)
{
    int tid = trace->failure.tid;
    uint32_t wake = (uint32_t)trace->nevents, taker = TRACE_NO_EVENT;
    while (wake-- > 0)
        if (trace->event[wake].tid == tid && trace->event[wake].operation.kind == OP_COND_WAKE)
            break;
    uint32_t signal = wake < trace->nevents ? find_waker(trace, wake) : TRACE_NO_EVENT;
    if (signal == TRACE_NO_EVENT)
        return NULL;
    for (uint32_t i = signal + 1; i < wake; i++)
        if (trace->event[i].operation.kind == OP_MUTEX_LOCK &&
            strcmp(trace->event[i].operation.object, trace->event[wake].operation.object) == 0)
            taker = i;
    if (taker == TRACE_NO_EVENT)
        return NULL;
    struct buffer out = {0};
    add_thread(&out, trace, trace->event[taker].tid);
    buffer_text(&out, "'s ");
    add_event(&out, trace, taker);
    buffer_text(&out, " comes between ");
    add_thread(&out, trace, trace->event[signal].tid);
    buffer_text(&out, "'s ");
    add_event(&out, trace, signal);
    buffer_text(&out, ", which wakes ");
    add_thread(&out, trace, tid);
    buffer_text(&out, ", and ");
    add_thread(&out, trace, tid);
    buffer_text(&out, "'s ");
    add_event(&out, trace, wake);
    return buffer_take(&out);
}

void gist_sentences(const struct trace *trace, struct text_list *list)
{
    size_t preemptions = 0;
    for (size_t i = 0; i < trace->nevents; i++)
        preemptions += trace->event[i].reason == SWITCH_PREEMPTED;
    if (preemptions > PREEMPTIONS_TOLD)
        return;
    for (size_t i = 0; i < trace->nevents; i++) {
        if (trace->event[i].reason != SWITCH_PREEMPTED || trace->event[i].from < 0)
            continue;
        char *text = preemption_sentence(trace, (uint32_t)i);
        if (text)
            list_take(list, text);
    }
    char *text = list->count ? NULL : wakeup_sentence(trace);
    if (text)
        list_take(list, text);
}
