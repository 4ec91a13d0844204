/* The gist of a failure, by its kind: races, memory, loops and misuse; gist_waits.c has those
 * in which threads wait. gist.c decides the order. */
#include <stdlib.h>
#include <string.h>

#include "report/text/gist_private.h"
#include "trace/verdict.h"

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
    buffer_text(out, "'s ");
    if (name)
        add_access_words(out, access);
    else
        buffer_text(out, access->is_free ? "free" : access->write ? "write" : "read");
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

/* "Nothing orders main's read of sink->worst (log.cpp:37), holding no lock, and T1's write
 * (log.cpp:31), holding mutex_" */
static char *race_sentence(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    struct buffer out = {0};
    if (failure->naccesses < 2)
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        buffer_text(&out, i ? ", and " : "Nothing orders ");
        add_access_phrase(&out, trace, &failure->access[i], i == 0);
        buffer_text(&out, ", holding ");
        add_locks_of(&out, &failure->access[i]);
    }
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

/* Is the object, "Node.next (new at push():54)", in the block "Node (new at push():54)"? */
static bool is_in_block(const char *object, const char *block)
{
    const char *origin = strstr(block, " (new at ");
    const char *own = strstr(object, " (new at ");
    if (!origin || !own || strcmp(origin, own) != 0)
        return false;
    size_t length = (size_t)(origin - block);
    return strncmp(object, block, length) == 0 &&
           (object[length] == '.' || object[length] == '[' || object + length == own);
}

/* "; T2 has the pointer from load stack.top_ (stack.cpp:63, #6)"; false: it is not known. */
static bool add_pointer_source(struct buffer *out, const struct trace *trace,
                               const struct trace_access *access)
{
    for (uint32_t i = (uint32_t)trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid != access->tid || !(event->operation.flags & OP_READS) ||
            !event->before_text || !is_in_block(access->object, event->before_text))
            continue;
        buffer_text(out, "; ");
        add_thread(out, trace, access->tid);
        buffer_text(out, " has the pointer from ");
        add_actor_event(out, trace, i);
        return true;
    }
    return false;
}

/* "T2's free (stack.cpp:37) comes while T1 can still read the block (stack.cpp:32)"; "T1's read
 * of node->next (stack.cpp:32) comes after T2's free of the block (stack.cpp:37)" */
static char *freed_sentence(const struct trace *trace, bool *decides)
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
        *decides = true;
    } else if (failure->naccesses == 1 && failure->has_block && failure->freed_by >= 0) {
        add_access_phrase(&out, trace, last, true);
        buffer_text(&out, " comes after ");
        add_thread(&out, trace, failure->freed_by);
        buffer_text(&out, "'s free of the block");
        add_line(&out, &failure->freed);
        *decides = add_pointer_source(&out, trace, last);
    }
    return out.length ? buffer_take(&out) : NULL;
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

/* The user's function that destroyed something: destructors of its members and of lambdas,
 * which nobody has written, are on top of it. */
static const struct source_place *find_destroyer(const struct source_stack *stack)
{
    for (size_t i = 0; i < stack->count; i++) {
        const struct source_place *place = &stack->place[i];
        if (!place->library && place->file && place->function &&
            *innermost_name(place->function) != '~')
            return place;
    }
    return stack_user_place(stack);
}

/* "main destroys the promise in Pool::stop (pool.cpp:53, #36), before anything has fulfilled
 * it": what wrote the result that the future gave last. */
static char *broken_promise_sentence(const struct trace *trace)
{
    uint32_t get = (uint32_t)trace->nevents;
    if (!failure_has(trace->failure.kind, FAILURE_HAS_TYPE) ||
        !strstr(trace->failure.message, "Broken promise"))
        return NULL;
    while (get > 0 && trace->event[get - 1].tid != trace->failure.tid)
        get--;
    if (get == 0 || !*trace->event[get - 1].operation.call)
        return NULL;
    const char *state = trace->event[get - 1].operation.object;
    for (uint32_t i = get - 1; i-- > 0;) {
        const struct trace_operation *operation = &trace->event[i].operation;
        if (!(operation->flags & OP_WRITES) || strcmp(operation->object, state) != 0)
            continue;
        struct buffer out = {0};
        const struct source_place *place = find_destroyer(&trace->event[i].stack);
        add_thread(&out, trace, trace->event[i].tid);
        buffer_text(&out, " destroys the promise");
        if (place && place->function && *innermost_name(place->function) != '~') {
            buffer_text(&out, " in ");
            add_function(&out, place->function);
        }
        buffer_text(&out, " (");
        add_place_form(&out, place, PLACE_FORM_FILE);
        buffer_printf(&out, ", #%u), before anything has fulfilled it", i + 1);
        return buffer_take(&out);
    }
    return NULL;
}

/* What explains that threads wait for ever. */
static char *endless_wait_sentence(const struct trace *trace, bool *decides)
{
    char *text = circle_sentence(trace);
    text = text ? text : not_woken_sentence(trace);
    *decides = text;
    return text ? text : early_signal_sentence(trace); /* between which operations, too */
}

char *kind_sentence(const struct trace *trace, bool *decides)
{
    enum failure_kind kind = trace->failure.kind;
    char *text = NULL;
    if (failure_has(kind, FAILURE_REPEATS)) {
        text = circle_sentence(trace); /* the others only spin */
        *decides = text;
        text = text ? text : spinning_sentence(trace);
        return text ? text : repeating_sentence(trace);
    }
    if (failure_has(kind, FAILURE_HAS_ADVICE))
        return hang_sentence(trace);
    if (failure_has(kind, FAILURE_NAMES_ON))
        text = race_sentence(trace);
    else if (failure_has(kind, FAILURE_HAS_OBJECT))
        text = misuse_sentence(trace);
    else if (failure_has(kind, FAILURE_WAITS))
        return endless_wait_sentence(trace, decides);
    else if (failure_has(kind, FAILURE_HAS_TYPE))
        return broken_promise_sentence(trace);
    else
        return freed_sentence(trace, decides);
    *decides = text;
    return text;
}
