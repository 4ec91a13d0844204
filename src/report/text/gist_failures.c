/* The gist of a failure, by its kind; gist.c decides the order. */
#include <stdlib.h>
#include <string.h>

#include "report/text/gist_private.h"
#include "trace/verdict.h"

/* "T2's load tail (…) sees T1's store tail (…)" */
static char *relation_sentence(const struct trace *trace, uint32_t first, const char *relation,
                               uint32_t second)
{
    struct buffer out = {0};
    add_actor(&out, trace, first);
    buffer_text(&out, relation);
    add_actor(&out, trace, second);
    return buffer_take(&out);
}

void add_line(struct buffer *out, const struct source_stack *stack)
{
    const struct source_place *place = stack_user_place(stack);
    if (!place || !place->file)
        return;
    buffer_text(out, " (");
    add_clean(out, place->file);
    if (place->line)
        buffer_printf(out, ":%d", place->line);
    buffer_text(out, ")");
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

static bool is_relaxed(const struct trace_operation *operation)
{
    return is_atomic_kind(operation->kind) && operation->order == __ATOMIC_RELAXED;
}

/* "T2's load ready (a.c:12, #9) sees T1's store ready (a.c:7, #5), which comes before that
 * write": published before the data was complete. */
static char *early_sentence(const struct trace *trace, uint32_t load, uint32_t store)
{
    const struct trace_access *early = &trace->failure.access[0];
    const struct trace_operation *from = &trace->event[store].operation,
                                 *to = &trace->event[load].operation;
    if (!early->write || early->is_free || !is_atomic_kind(from->kind) ||
        !is_atomic_kind(to->kind) || is_relaxed(from) || is_relaxed(to))
        return NULL;
    char *text = relation_sentence(trace, load, " sees ", store);
    char *whole = format_text("%s, which comes before that write", text);
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

/* "main's read of sink->worst (log.cpp:37), holding no lock, and T1's write (log.cpp:31),
 * holding mutex_: nothing orders them" */
static char *race_sentence(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    struct buffer out = {0};
    if (failure->naccesses < 2)
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

/* "T2's free of *box (box.cpp:13) comes while T1 still has to lock box->m (box.cpp:7)" */
static char *freed_early_sentence(const struct trace *trace)
{
    const struct trace_access *last = &trace->failure.access[0];
    for (size_t i = 0; i < trace->nthreads; i++) {
        const struct trace_thread *thread = &trace->thread[i];
        int kind = thread->pending.kind;
        if (thread->state != THREAD_BLOCKED || kind == OP_JOIN || kind == OP_NONE ||
            (int)i == last->tid)
            continue;
        struct buffer out = {0};
        add_access_phrase(&out, trace, last, true);
        buffer_text(&out, " comes while ");
        add_thread(&out, trace, (int)i);
        buffer_text(&out, " still has to ");
        add_operation(&out, &thread->pending);
        add_line(&out, &thread->stack);
        return buffer_take(&out);
    }
    return NULL;
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
    if (failure->naccesses == 1 && last->is_free && failure->freed_by < 0)
        return freed_early_sentence(trace);
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

/* The last signal at or after the inflection point that woke nobody, or TRACE_NO_EVENT. */
static uint32_t find_lost_signal(const struct trace *trace)
{
    uint32_t first = trace->inflection == TRACE_NO_EVENT ? 0 : trace->inflection;
    for (uint32_t i = (uint32_t)trace->nevents; i-- > first;) {
        int kind = trace->event[i].operation.kind;
        if ((kind == OP_COND_SIGNAL || kind == OP_COND_BROADCAST || kind == OP_FUTEX_WAKE) &&
            trace->event[i].other < 0)
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
    uint32_t lost = find_lost_signal(trace);
    struct buffer out = {0};
    if (tid < 0 || trace->thread[tid].pending.kind == OP_NONE)
        return NULL;
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
            text = signal_sentence(trace, (int)i);
    return text || trace->recipe.model ? text : stuck_sentence(trace);
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

/* --- Loops and misuse --- */

/* " (logger.cpp:31)" of a thread at the end. */
static void add_standpoint(struct buffer *out, const struct trace *trace, int tid)
{
    const struct source_stack *stack = &trace->thread[tid].stack;
    add_line(out, stack->count ? stack : &trace->failure.stack);
}

/* "T1 repeats load flag (spin.c:12) for ever: every other thread has ended or waits" */
static char *spinning_sentence(const struct trace *trace)
{
    struct buffer out = {0};
    size_t spinning = 0;
    for (size_t i = 0; i < trace->nthreads; i++) {
        if (trace->thread[i].state != THREAD_SPINNING ||
            trace->thread[i].pending.kind == OP_NONE)
            continue;
        buffer_text(&out, spinning++ ? ", and " : "");
        add_thread(&out, trace, (int)i);
        buffer_text(&out, " repeats ");
        add_operation(&out, &trace->thread[i].pending);
        add_standpoint(&out, trace, (int)i);
    }
    if (!spinning)
        return NULL;
    buffer_text(&out, " for ever: every other thread has ended or waits");
    return buffer_take(&out);
}

/* The last event of the thread from `first` on that made it try again: it failed, or it saw
 * what another thread wrote. */
static uint32_t find_discouragement(const struct trace *trace, int tid, uint32_t first)
{
    uint32_t seen = TRACE_NO_EVENT;
    for (uint32_t i = (uint32_t)trace->nevents; i-- > first;) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid != tid)
            continue;
        if (event->operation.flags & OP_FAILED)
            return i;
        if (seen == TRACE_NO_EVENT && event->reads_from != TRACE_NO_EVENT &&
            event->has_values && trace->event[event->reads_from].tid != tid)
            seen = i;
    }
    return seen;
}

/* "In every round T1's trylock right (…) fails; T2's load a (…) sees T1's store a (…)" */
static char *repeating_sentence(const struct trace *trace)
{
    size_t length = find_final_cycle(trace);
    struct buffer out = {0};
    if (!length)
        return NULL;
    uint32_t first = (uint32_t)(trace->nevents - length);
    for (size_t i = 0; i < trace->nthreads; i++) {
        uint32_t event = find_discouragement(trace, (int)i, first);
        if (event == TRACE_NO_EVENT)
            continue;
        buffer_text(&out, out.length ? "; " : "In every round ");
        add_actor(&out, trace, event);
        if (trace->event[event].operation.flags & OP_FAILED) {
            buffer_text(&out, " fails");
        } else {
            buffer_text(&out, " sees ");
            add_actor(&out, trace, trace->event[event].reads_from);
        }
    }
    return out.length ? buffer_take(&out) : NULL;
}

/* "T1 loops (scan.c:13) after load marked = 0 (scan.c:11, #4), with no operation that other
 * threads can see" */
static char *hang_sentence(const struct trace *trace)
{
    int tid = trace->failure.tid;
    struct buffer out = {0};
    if (tid < 0)
        return NULL;
    add_thread(&out, trace, tid);
    buffer_text(&out, " loops");
    add_line(&out, &trace->failure.stack);
    for (uint32_t i = (uint32_t)trace->nevents; i-- > 0;) {
        if (trace->event[i].tid != tid || !tells_something(&trace->event[i].operation))
            continue;
        buffer_text(&out, " after ");
        add_event_phrase(&out, trace, i);
        add_reference(&out, trace, i);
        break;
    }
    buffer_text(&out, ", with no operation that other threads can see");
    return buffer_take(&out);
}

/* The last event on the object before event `end`. */
static uint32_t find_last_use(const struct trace *trace, const char *object, uint32_t end)
{
    for (uint32_t i = end; i-- > 0;) {
        const struct trace_operation *operation = &trace->event[i].operation;
        if (strcmp(operation->object, object) == 0 || strcmp(operation->second, object) == 0)
            return i;
    }
    return TRACE_NO_EVENT;
}

/* "T2's use of mutex (log.c:18) comes after T1's mutex-destroy mutex (log.c:10, #4)"; if that
 * failed, what came before it counts as well. The message ends with the object's name. */
static char *misuse_sentence(const struct trace *trace)
{
    int tid = trace->failure.tid;
    const char *object = trace->failure.message, *next;
    struct buffer out = {0};
    while ((next = strstr(object, ": ")))
        object = next + strlen(": ");
    uint32_t use = find_last_use(trace, object, (uint32_t)trace->nevents);
    if (tid < 0 || use == TRACE_NO_EVENT)
        return NULL;
    add_thread(&out, trace, tid);
    buffer_text(&out, "'s use of ");
    add_clean(&out, object);
    add_line(&out, &trace->failure.stack);
    buffer_text(&out, " comes after ");
    if (trace->event[use].tid == tid) {
        buffer_text(&out, "its own ");
        add_actor_event(&out, trace, use);
    } else {
        add_actor(&out, trace, use);
    }
    uint32_t before = trace->event[use].operation.flags & OP_FAILED
                          ? find_last_use(trace, object, use)
                          : TRACE_NO_EVENT;
    if (before != TRACE_NO_EVENT) {
        buffer_text(&out, ", which fails after ");
        add_actor(&out, trace, before);
    }
    return buffer_take(&out);
}

char *kind_sentence(const struct trace *trace)
{
    enum failure_kind kind = trace->failure.kind;
    char *text =
        failure_has(kind, FAILURE_NAMES_ON) ? race_sentence(trace) : freed_sentence(trace);
    if (failure_has(kind, FAILURE_REPEATS)) {
        text = circle_sentence(trace); /* the others only spin */
        text = text ? text : spinning_sentence(trace);
        text = text ? text : repeating_sentence(trace);
    } else if (failure_has(kind, FAILURE_HAS_ADVICE)) {
        text = hang_sentence(trace);
    } else if (failure_has(kind, FAILURE_HAS_OBJECT)) {
        text = misuse_sentence(trace);
    }
    return text;
}

/* --- The inflection point --- */

/* The event nearest to `at`, before or after it, of another thread and in conflict with it. */
static uint32_t find_conflict(const struct trace *trace, uint32_t at, bool after)
{
    const struct trace_event *here = &trace->event[at];
    for (uint32_t i = at; after ? ++i < trace->nevents : i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid != here->tid && tells_something(&event->operation) &&
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
    if (!tells_something(&trace->event[at].operation))
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
