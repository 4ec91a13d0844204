/* The gist of a failure by the values that threads saw, and by the order of two operations.
 * gist.c decides which sentences are used. */
#include <stdlib.h>
#include <string.h>

#include "report/text/gist_private.h"
#include "trace/verdict.h"

char *relation_sentence(const struct trace *trace, uint32_t first, const char *relation,
                        uint32_t second)
{
    struct buffer out = {0};
    add_actor(&out, trace, first);
    buffer_text(&out, relation);
    add_actor(&out, trace, second);
    return buffer_take(&out);
}

static bool is_relaxed(const struct trace_operation *operation)
{
    return is_atomic_kind(operation->kind) && operation->order == __ATOMIC_RELAXED;
}

/* "T2's load ready (a.c:12, #9) sees T1's store ready (a.c:7, #5), made before that write:
 * published before initialised" */
static char *early_sentence(const struct trace *trace, uint32_t load, uint32_t store)
{
    const struct trace_access *early = &trace->failure.access[0];
    const struct trace_operation *from = &trace->event[store].operation,
                                 *to = &trace->event[load].operation;
    if (!early->write || early->is_free || !is_atomic_kind(from->kind) ||
        !is_atomic_kind(to->kind) || is_relaxed(from) || is_relaxed(to))
        return NULL;
    char *text = relation_sentence(trace, load, " sees ", store);
    char *whole = format_text("%s, made before that write: published before initialised", text);
    free(text);
    return whole;
}

/* "T2's load ready (a.c:12, #9) sees T1's store ready (a.c:7, #5), which is relaxed: it orders
 * nothing": the thread of the later access saw what the earlier one's thread wrote after its
 * access, and continued as if that ordered them. */
char *relaxed_sentence(const struct trace *trace)
{
    const struct trace_access *access = trace->failure.access;
    if (!failure_has(trace->failure.kind, FAILURE_NAMES_ON) || trace->failure.naccesses < 2)
        return NULL;
    for (uint32_t i = (uint32_t)trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        uint32_t source = event->reads_from;
        if (event->tid != access[1].tid || source == TRACE_NO_EVENT ||
            trace->event[source].tid != access[0].tid || !tells_something(&event->operation))
            continue;
        bool behind = access[0].event == TRACE_NO_EVENT || source > access[0].event;
        bool store = is_relaxed(&trace->event[source].operation);
        if (!behind)
            return early_sentence(trace, i, source);
        if (!store && !is_relaxed(&event->operation))
            return NULL;
        char *text =
            relation_sentence(trace, i, store ? " sees " : ", which is relaxed, sees ", source);
        char *whole = format_text("%s%s", text,
                                  store ? ", which is relaxed: it orders nothing"
                                        : ": it orders nothing");
        free(text);
        return whole;
    }
    return NULL;
}

/* The last event of the thread, up to `end`, with which it gave back the lock; TRACE_NO_EVENT:
 * none. */
static uint32_t find_unlock(const struct trace *trace, const char *lock, int tid, uint32_t end)
{
    for (uint32_t i = end + 1; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        int kind = event->operation.kind;
        if (event->tid == tid && strcmp(event->operation.object, lock) == 0)
            return kind == OP_MUTEX_UNLOCK || kind == OP_RWLOCK_UNLOCK || kind == OP_SPIN_UNLOCK
                       ? i
                       : TRACE_NO_EVENT;
    }
    return TRACE_NO_EVENT;
}

char *unlocked_sentence(const struct trace *trace)
{
    const struct trace_access *access = trace->failure.access;
    if (trace->failure.naccesses < 2 || !access[1].is_free || access[0].nlocks ||
        access[0].event == TRACE_NO_EVENT)
        return NULL;
    for (size_t i = 0; i < access[1].nlocks; i++) {
        uint32_t unlock = find_unlock(trace, access[1].lock[i], access[0].tid, access[0].event);
        if (unlock == TRACE_NO_EVENT)
            continue;
        struct buffer out = {0};
        add_actor(&out, trace, unlock);
        buffer_text(&out, " comes before that, and ");
        add_thread(&out, trace, access[1].tid);
        buffer_text(&out,
                    " holds this lock at the free: pointer used after its lock was released");
        return buffer_take(&out);
    }
    return NULL;
}

/* --- A value that came back (ABA) --- */

/* What is there after the event. */
static uint64_t value_left(const struct trace_event *event)
{
    return event->operation.flags & OP_WRITES ? event->after : event->before;
}

static bool is_on(const struct trace_event *event, const char *object)
{
    return event->has_values && is_atomic_kind(event->operation.kind) &&
           strcmp(event->operation.object, object) == 0;
}

/* Where the thread of the compare-and-swap found the value that it expects; only there can it
 * have been the last to use the object. */
static uint32_t find_expected(const struct trace *trace, uint32_t cas)
{
    const struct trace_event *swap = &trace->event[cas];
    for (uint32_t i = cas; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid == swap->tid && is_on(event, swap->operation.object))
            return value_left(event) == swap->before ? i : TRACE_NO_EVENT;
    }
    return TRACE_NO_EVENT;
}

/* The first and the last write of other threads to the object between two events. */
struct detour {
    uint32_t first, last;
    int tid; /* whose; -1: of several */
};

static struct detour find_detour(const struct trace *trace, uint32_t from, uint32_t to,
                                 const char *object)
{
    struct detour detour = {.first = TRACE_NO_EVENT, .last = TRACE_NO_EVENT};
    for (uint32_t i = from + 1; i < to; i++) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid == trace->event[to].tid || !is_on(event, object) ||
            !(event->operation.flags & OP_WRITES))
            continue;
        bool some = detour.first != TRACE_NO_EVENT;
        detour.tid = some && detour.tid != event->tid ? -1 : event->tid;
        detour.first = some ? detour.first : i;
        detour.last = i;
    }
    return detour;
}

/* The read of another object, behind `from`, whose value the swap `to` writes, although that
 * object has changed since. */
static uint32_t find_outdated(const struct trace *trace, uint32_t from, uint32_t to)
{
    const struct trace_event *swap = &trace->event[to];
    for (uint32_t i = to; i-- > from + 1;) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid != swap->tid || event->operation.kind != OP_LOAD || !event->has_values ||
            event->before != swap->after || is_on(event, swap->operation.object))
            continue;
        struct detour change = find_detour(trace, i, to, event->operation.object);
        if (change.first != TRACE_NO_EVENT && trace->event[change.last].after != swap->after)
            return i;
    }
    return TRACE_NO_EVENT;
}

static char *describe_aba(const struct trace *trace, uint32_t cas)
{
    uint32_t expected = find_expected(trace, cas);
    if (expected == TRACE_NO_EVENT)
        return NULL;
    const char *object = trace->event[cas].operation.object;
    struct detour detour = find_detour(trace, expected, cas, object);
    uint32_t outdated = find_outdated(trace, expected, cas);
    if (detour.first == detour.last || outdated == TRACE_NO_EVENT)
        return NULL;
    struct buffer out = {0};
    buffer_text(&out, "ABA: ");
    add_actor(&out, trace, cas);
    buffer_printf(&out, " succeeds, because the value is again what it was at #%u, but ",
                  expected + 1);
    if (detour.tid < 0)
        buffer_text(&out, "other threads");
    else
        add_thread(&out, trace, detour.tid);
    const char *relied_on = trace->event[outdated].operation.object;
    struct detour change = find_detour(trace, outdated, cas, relied_on);
    buffer_printf(&out, " changed it in between (#%u to #%u): ", detour.first + 1,
                  detour.last + 1);
    add_clean(&out, relied_on);
    buffer_text(&out, " was ");
    add_value_before(&out, &trace->event[outdated]);
    buffer_printf(&out, " at #%u and is ", outdated + 1);
    add_value_after(&out, &trace->event[change.last]);
    buffer_text(&out, " now");
    return buffer_take(&out);
}

char *aba_sentence(const struct trace *trace, bool *decides)
{
    for (uint32_t i = (uint32_t)trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        bool swaps = event->operation.kind == OP_CAS && event->has_values &&
                     (event->operation.flags & OP_WRITES) && !event->operation.internal;
        char *text = swaps ? describe_aba(trace, i) : NULL;
        if (text) {
            *decides = true;
            return text;
        }
    }
    return NULL;
}

/* --- What a thread saw --- */

/* The last value of another thread that the failing thread saw; the one from the inflection
 * point, if there is one. */
char *seen_sentence(const struct trace *trace)
{
    uint32_t seen = TRACE_NO_EVENT;
    if (failure_has(trace->failure.kind, FAILURE_WAITS))
        return NULL; /* it waits for a value that it did not see */
    for (uint32_t i = 0; i < trace->nevents; i++) {
        const struct trace_event *event = &trace->event[i];
        bool counts = event->tid == trace->failure.tid && event->reads_from != TRACE_NO_EVENT &&
                      trace->event[event->reads_from].tid != event->tid &&
                      tells_something(&event->operation) && event->has_values;
        if (counts &&
            (seen == TRACE_NO_EVENT || trace->event[seen].reads_from != trace->inflection))
            seen = i;
    }
    return seen == TRACE_NO_EVENT
               ? NULL
               : relation_sentence(trace, seen, " sees ", trace->event[seen].reads_from);
}

/* The last value that any thread saw of another one up to the inflection point, including calls
 * of the C++ library. */
char *last_sight_sentence(const struct trace *trace)
{
    uint32_t end =
        trace->inflection == TRACE_NO_EVENT ? (uint32_t)trace->nevents : trace->inflection + 1;
    for (uint32_t i = end; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        if (event->operation.kind != OP_LOAD || event->reads_from == TRACE_NO_EVENT ||
            trace->event[event->reads_from].tid == event->tid ||
            (!tells_something(&event->operation) && !*event->operation.call))
            continue;
        return relation_sentence(trace, i, " sees ", event->reads_from);
    }
    return NULL;
}

/* "T1's wait for changed (a.c:9, #4) timed out": what the failing thread was told last, if it
 * depends on more than the other threads. */
char *chance_sentence(const struct trace *trace)
{
    for (uint32_t i = (uint32_t)trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        const struct trace_operation *operation = &event->operation;
        bool late = operation->flags & OP_TIMED_OUT;
        if (event->tid != trace->failure.tid || operation->internal ||
            !(late || (operation->flags & OP_FAILED) || operation->kind == OP_CHOOSE))
            continue;
        struct buffer out = {0};
        add_actor(&out, trace, i);
        if (operation->kind == OP_CHOOSE)
            buffer_printf(&out, " returns %d", event->result);
        else
            buffer_text(&out, late ? " times out" : " fails");
        return buffer_take(&out);
    }
    return NULL;
}

/* --- The inflection point --- */

/* The event nearest to `at`, before or after it, of another thread and in conflict with it. */
static uint32_t find_conflict(const struct trace *trace, uint32_t at, bool after)
{
    const struct trace_event *here = &trace->event[at];
    for (uint32_t i = at; after ? ++i < trace->nevents : i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        bool named = tells_something(&event->operation) || *event->operation.call;
        if (event->tid != here->tid && named &&
            operations_conflict(&event->operation, &here->operation))
            return i;
    }
    return TRACE_NO_EVENT;
}

/* Did the event see a value of another thread? */
static bool event_sees(const struct trace *trace, uint32_t index)
{
    const struct trace_event *event = &trace->event[index];
    return (event->operation.flags & OP_READS) && event->reads_from != TRACE_NO_EVENT &&
           trace->event[event->reads_from].tid != event->tid &&
           (event->has_values || *event->operation.call);
}

char *order_sentence(const struct trace *trace)
{
    uint32_t at = trace->inflection;
    if (event_sees(trace, at))
        return relation_sentence(trace, at, " sees ", trace->event[at].reads_from);
    if (!tells_something(&trace->event[at].operation) && !*trace->event[at].operation.call)
        return NULL;
    uint32_t later = find_conflict(trace, at, true);
    if (later != TRACE_NO_EVENT && trace->event[later].reads_from == at &&
        event_sees(trace, later))
        return relation_sentence(trace, later, " sees ", at);
    if (later != TRACE_NO_EVENT)
        return relation_sentence(trace, at, " comes before ", later);
    uint32_t earlier = find_conflict(trace, at, false);
    return earlier == TRACE_NO_EVENT ? NULL
                                     : relation_sentence(trace, at, " comes after ", earlier);
}
