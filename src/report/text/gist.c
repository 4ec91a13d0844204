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
 * The sentence about the inflection point comes first. Memory that is freed too early has a
 * sentence of its own before all others.
 *
 * If no preemption explains the failure, the first of these does that applies: a wake-up
 * between which and the woken thread another one took the mutex; a signal that woke a thread
 * that could not use it, or nobody; locks that threads wait for in a circle; two accesses that
 * nothing orders; the last value that the failing thread saw of another one.
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

/* A thread's end decides nothing by itself, and the library's own counts mean nothing to
 * readers.
 */
static bool tells_something(const struct trace_operation *operation)
{
    return !operation->internal && operation->kind != OP_START &&
           operation->kind != OP_THREAD_EXIT && operation->kind != OP_YIELD;
}

static uint32_t find_decisive_event(const struct trace *trace,
                                    const struct interruption *interruption)
{
    if (trace->inflection != TRACE_NO_EVENT && trace->inflection >= interruption->first &&
        trace->inflection <= interruption->last &&
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

/* `first`: the sentence is about the inflection point. */
static char *preemption_sentence(const struct trace *trace, uint32_t index, bool *first)
{
    struct interruption interruption = find_interruption(trace, index);
    uint32_t event = find_decisive_event(trace, &interruption);
    struct buffer out = {0};
    *first = event == trace->inflection;
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

/* --- Failures that no preemption explains --- */

static void add_actor(struct buffer *out, const struct trace *trace, uint32_t event)
{
    add_thread(out, trace, trace->event[event].tid);
    buffer_text(out, "'s ");
    add_event(out, trace, event);
}

/* " (logger.cpp:31)" */
static void add_line(struct buffer *out, const struct source_stack *stack)
{
    const struct source_place *place = stack_user_place(stack);
    if (!place || !place->file)
        return;
    buffer_text(out, " (");
    add_clean(out, place->file);
    buffer_printf(out, ":%d)", place->line);
}

static void add_access_phrase(struct buffer *out, const struct trace *trace,
                              const struct trace_access *access, bool name)
{
    add_thread(out, trace, access->tid);
    buffer_text(out, access->is_free ? "'s free" : access->write ? "'s write" : "'s read");
    if (name) {
        buffer_text(out, " of ");
        add_clean(out, access->object);
    }
    add_line(out, &access->stack);
}

static void add_locks_of(struct buffer *out, const struct trace_access *access)
{
    if (!access->nlocks)
        buffer_text(out, "no lock");
    for (size_t i = 0; i < access->nlocks; i++) {
        buffer_text(out, i ? ", " : "");
        add_clean(out, access->lock[i]);
    }
}

/* "main's read of sink->worst (log.cpp:37), holding no lock, and T1's write (log.cpp:31),
 * holding mutex_, have no order" */
static char *race_sentence(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    struct buffer out = {0};
    if (!failure_has(failure->kind, FAILURE_NAMES_ON) || failure->naccesses < 2)
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        buffer_text(&out, i ? ", and " : "");
        add_access_phrase(&out, trace, &failure->access[i], i == 0);
        buffer_text(&out, ", holding ");
        add_locks_of(&out, &failure->access[i]);
    }
    buffer_text(&out, ": nothing orders them");
    return buffer_take(&out);
}

/* "T2's free (stack.cpp:37) comes while T1 can still read the block (stack.cpp:32)"; "T1's read
 * of node->next (stack.cpp:32) comes after T2's free of the block (stack.cpp:37)" */
static char *freed_sentence(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    struct buffer out = {0};
    if (!failure_has(failure->kind, FAILURE_HAS_ACCESS) || !failure->naccesses)
        return NULL;
    const struct trace_access *last = &failure->access[failure->naccesses - 1];
    if (failure->naccesses == 2 && last->is_free) {
        add_access_phrase(&out, trace, last, true);
        buffer_text(&out, " is not ordered after ");
        add_access_phrase(&out, trace, &failure->access[0], true);
    } else if (failure->naccesses == 1 && failure->has_block && failure->freed_by >= 0) {
        add_access_phrase(&out, trace, last, true);
        buffer_text(&out, " comes after ");
        add_thread(&out, trace, failure->freed_by);
        buffer_text(&out, "'s free of the block");
        add_line(&out, &failure->freed);
    }
    return out.length ? buffer_take(&out) : NULL;
}

/* The event, after `signal`, with which the thread that it woke waits for the same condition
 * again; TRACE_NO_EVENT: it did something with the wake-up. */
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

/* A signal that nobody could use: it woke a thread that waits again, or came before the wait.
 */
static char *signal_sentence(const struct trace *trace, int stuck)
{
    const char *condition = awaited_condition(trace, stuck);
    struct buffer out = {0};
    for (uint32_t i = (uint32_t)trace->nevents; condition && i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        bool signal = event->operation.kind == OP_COND_SIGNAL;
        if ((!signal && event->operation.kind != OP_COND_BROADCAST) ||
            strcmp(event->operation.object, condition) != 0)
            continue;
        if (event->other < 0) {
            add_actor(&out, trace, i);
            buffer_text(&out, " finds nobody waiting; ");
            add_thread(&out, trace, stuck);
            buffer_text(&out, " waits for it later, and for ever");
            return buffer_take(&out);
        }
        uint32_t again = waits_again(trace, i, event->other);
        if (!signal || again == TRACE_NO_EVENT || event->other == stuck)
            return NULL;
        add_actor(&out, trace, i);
        buffer_text(&out, " wakes ");
        add_thread(&out, trace, event->other);
        buffer_printf(&out, ", which waits again (#%u); ", again + 1);
        add_thread(&out, trace, stuck);
        buffer_text(&out, ", which waits for the same condition, is not woken");
        return buffer_take(&out);
    }
    return NULL;
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

/* Threads that wait in a circle, or for one that is stuck for another reason. */
static char *circle_sentence(const struct trace *trace)
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

static char *deadlock_sentence(const struct trace *trace)
{
    if (!failure_has(trace->failure.kind, FAILURE_WAITS))
        return NULL;
    char *text = circle_sentence(trace);
    for (size_t i = 0; i < trace->nthreads && !text; i++)
        if (trace->thread[i].state == THREAD_BLOCKED)
            text = signal_sentence(trace, (int)i);
    return text;
}

/* The last value of another thread that the failing one saw, at the inflection point if it is
 * from there. */
static char *seen_sentence(const struct trace *trace)
{
    uint32_t seen = TRACE_NO_EVENT;
    for (uint32_t i = 0; i < trace->nevents; i++) {
        const struct trace_event *event = &trace->event[i];
        bool counts = event->tid == trace->failure.tid && event->reads_from != TRACE_NO_EVENT &&
                      trace->event[event->reads_from].tid != event->tid &&
                      tells_something(&event->operation) && event->has_values;
        if (counts &&
            (seen == TRACE_NO_EVENT || trace->event[seen].reads_from != trace->inflection))
            seen = i;
    }
    if (seen == TRACE_NO_EVENT)
        return NULL;
    struct buffer out = {0};
    add_actor(&out, trace, seen);
    buffer_text(&out, " sees ");
    add_actor(&out, trace, trace->event[seen].reads_from);
    return buffer_take(&out);
}

static char *other_sentence(const struct trace *trace)
{
    char *text = wakeup_sentence(trace);
    if (!text)
        text = deadlock_sentence(trace);
    if (!text)
        text = race_sentence(trace);
    return text ? text : seen_sentence(trace);
}

void gist_sentences(const struct trace *trace, struct text_list *list)
{
    size_t preemptions = 0;
    for (size_t i = 0; i < trace->nevents; i++)
        preemptions += trace->event[i].reason == SWITCH_PREEMPTED;
    char *freed = freed_sentence(trace);
    if (freed)
        list_take(list, freed);
    for (int pass = 0; pass < 2 && preemptions <= PREEMPTIONS_TOLD; pass++)
        for (size_t i = 0; i < trace->nevents; i++) {
            bool first;
            if (trace->event[i].reason != SWITCH_PREEMPTED || trace->event[i].from < 0)
                continue;
            char *text = preemption_sentence(trace, (uint32_t)i, &first);
            if (text && first == (pass == 0))
                list_take(list, text);
            else
                free(text);
        }
    char *text = list->count || trace->recipe.model ? NULL : other_sentence(trace);
    if (text)
        list_take(list, text);
}
