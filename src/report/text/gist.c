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
 * Sentences that follow from the kind of failure alone come first: two accesses that nothing
 * orders, memory that is freed too early, what came before a misuse, a loop that nothing can
 * end (gist_failures.c), threads that wait for locks in a circle, a signal that was lost
 * (gist_waits.c); then a compare-and-swap that should not have succeeded (gist_values.c). Most
 * of them give the cause; then nothing else is said. Of the sentences about preemptions, the
 * one about the inflection point comes first, if that is exact.
 *
 * If no preemption explains the failure, the first of these that applies does: another thread
 * took the mutex between a wake-up and the woken thread's lock; a signal woke nobody; the last
 * value that the failing thread saw of another one. If no sentence mentions
 * the inflection point, one is added for it.
 *
 *     T2's lock mutex (buffer.c:31, #12) comes between T3's signal not_empty (buffer.c:25, #9),
 *     which wakes T1, and T1's wake up and lock mutex (buffer.c:33, #16) */
#include "report/text/gist.h"

#include <stdlib.h>
#include <string.h>

#include "report/text/gist_private.h"
#include "trace/verdict.h"

#define PREEMPTIONS_TOLD 4
#define SENTENCES_MOST   3
#define USES_MOST        4 /* operations after a preemption that are looked at */

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

bool operations_conflict(const struct trace_operation *a, const struct trace_operation *b)
{
    return *a->object && strcmp(a->object, b->object) == 0 &&
           ((a->flags | b->flags) & OP_WRITES);
}

bool tells_something(const struct trace_operation *operation)
{
    if (operation->public_object) /* the step that has the call's effect */
        return (operation->flags & OP_WRITES) && is_atomic_kind(operation->kind);
    return !operation->internal && operation->kind != OP_START &&
           operation->kind != OP_THREAD_EXIT && operation->kind != OP_YIELD;
}

static uint32_t find_decisive_event(const struct trace *trace,
                                    const struct interruption *interruption)
{
    if (trace->inflection != TRACE_NO_EVENT && trace->simplest.earliest &&
        trace->inflection >= interruption->first && trace->inflection <= interruption->last &&
        tells_something(&trace->event[trace->inflection].operation))
        return trace->inflection;
    const struct trace_operation *next = interruption->after != TRACE_NO_EVENT
                                             ? &trace->event[interruption->after].operation
                                             : &trace->thread[interruption->tid].pending;
    for (uint32_t i = interruption->last + 1; i-- > interruption->first;) {
        const struct trace_operation *operation = &trace->event[i].operation;
        if (tells_something(operation) &&
            (operations_conflict(operation, next) ||
             (interruption->before != TRACE_NO_EVENT &&
              operations_conflict(operation, &trace->event[interruption->before].operation))))
            return i;
    }
    return TRACE_NO_EVENT;
}

void add_reference(struct buffer *out, const struct trace *trace, uint32_t index)
{
    const struct source_place *place = stack_user_place(&trace->event[index].stack);
    buffer_text(out, " (");
    if (place && place->file) {
        add_clean(out, place->file);
        if (place->line)
            buffer_printf(out, ":%d", place->line);
        buffer_text(out, ", ");
    }
    buffer_printf(out, "#%u)", index + 1);
}

void add_actor_event(struct buffer *out, const struct trace *trace, uint32_t index)
{
    add_operation_at(out, &trace->event[index].operation, &trace->event[index].stack);
    add_reference(out, trace, index);
}

void add_actor(struct buffer *out, const struct trace *trace, uint32_t event)
{
    add_thread(out, trace, trace->event[event].tid);
    buffer_text(out, "'s ");
    add_actor_event(out, trace, event);
}

/* Where the preempted thread had just used what the decisive event changes, its next use of the
 * same object says more than what it happened to do next: it loads, and later stores. */
static uint32_t find_next_use(const struct trace *trace,
                              const struct interruption *interruption, uint32_t decisive)
{
    const struct trace_operation *other = &trace->event[decisive].operation;
    int left = USES_MOST;
    if (!operations_conflict(&trace->event[interruption->before].operation, other))
        return interruption->after;
    for (uint32_t i = interruption->after; i < trace->nevents && left > 0; i++) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid != interruption->tid)
            continue;
        if (event->reason != SWITCH_NONE && i != interruption->after)
            break; /* another thread ran again */
        if (tells_something(&event->operation) && operations_conflict(&event->operation, other))
            return i;
        left--;
    }
    return interruption->after;
}

/* `first`: the sentence is about the inflection point. */
static char *preemption_sentence(const struct trace *trace, uint32_t index, bool *first)
{
    struct interruption interruption = find_interruption(trace, index);
    uint32_t event = find_decisive_event(trace, &interruption);
    struct buffer out = {0};
    *first = event == trace->inflection && trace->simplest.earliest;
    if (interruption.before == TRACE_NO_EVENT || event == TRACE_NO_EVENT)
        return NULL;
    /* a thread that could have continued, and never did, can only matter to the thread that
     * replaced it */
    bool waits = failure_has(trace->failure.kind, FAILURE_WAITS) &&
                 trace->thread[interruption.tid].state == THREAD_BLOCKED;
    if (interruption.after == TRACE_NO_EVENT && !waits &&
        trace->event[event].tid != trace->event[index].tid)
        return NULL;
    add_actor(&out, trace, event);
    buffer_text(&out, " comes between ");
    add_actor(&out, trace, interruption.before);
    buffer_text(&out, " and ");
    if (interruption.after != TRACE_NO_EVENT) {
        add_actor_event(&out, trace, find_next_use(trace, &interruption, event));
    } else {
        add_pending_phrase(&out, trace, interruption.tid);
        add_line(&out, &trace->thread[interruption.tid].stack);
        buffer_text(&out, waits ? ", for which " : ", which ");
        add_thread(&out, trace, interruption.tid);
        buffer_text(&out, waits ? " now waits" : " has not yet executed");
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
    add_actor(&out, trace, taker);
    buffer_text(&out, " comes between ");
    add_actor(&out, trace, signal);
    buffer_text(&out, ", which wakes ");
    add_thread(&out, trace, tid);
    buffer_text(&out, ", and ");
    add_actor(&out, trace, wake);
    return buffer_take(&out);
}

static char *other_sentence(const struct trace *trace)
{
    char *text = wakeup_sentence(trace);
    if (!text)
        text = waiting_sentence(trace);
    return text ? text : seen_sentence(trace);
}

static void add_preemptions(const struct trace *trace, struct text_list *list)
{
    size_t preemptions = 0;
    for (size_t i = 0; i < trace->nevents; i++)
        preemptions += trace->event[i].reason == SWITCH_PREEMPTED;
    for (int pass = 0; pass < 2 && preemptions <= PREEMPTIONS_TOLD; pass++)
        for (size_t i = 0; i < trace->nevents && list->count < SENTENCES_MOST; i++) {
            bool first;
            if (trace->event[i].reason != SWITCH_PREEMPTED || trace->event[i].from < 0)
                continue;
            char *text = preemption_sentence(trace, (uint32_t)i, &first);
            if (text && first == (pass == 0))
                list_take(list, text);
            else
                free(text);
        }
}

/* Does a sentence mention the event? */
static bool list_names_event(const struct text_list *list, uint32_t event)
{
    char *number = format_text("#%u)", event + 1);
    bool found = false;
    for (size_t i = 0; i < list->count; i++)
        found |= strstr(list->item[i], number) != NULL;
    free(number);
    return found;
}

static void take_sentence(struct text_list *list, char *text)
{
    if (text)
        list_take(list, text);
}

void gist_sentences(const struct trace *trace, struct text_list *list)
{
    if (trace->recipe.model) {
        add_preemptions(trace, list);
        return;
    }
    bool decides = false;
    take_sentence(list, kind_sentence(trace, &decides));
    take_sentence(list, aba_sentence(trace, &decides));
    take_sentence(list, relaxed_sentence(trace));
    take_sentence(list, unlocked_sentence(trace));
    if (decides)
        return;
    size_t own = list->count;
    add_preemptions(trace, list);
    if (list->count > own)
        return;
    if (!list->count)
        take_sentence(list, other_sentence(trace));
    if (trace->inflection != TRACE_NO_EVENT && !list_names_event(list, trace->inflection))
        take_sentence(list, order_sentence(trace));
    if (!list->count)
        take_sentence(list, last_sight_sentence(trace));
    if (!list->count)
        take_sentence(list, chance_sentence(trace));
}
