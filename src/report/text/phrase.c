/* Operations in words. */
#include <stdlib.h>
#include <string.h>

#include "report/text/text_private.h"
#include "trace/names.h"

static void add_value(struct buffer *out, uint64_t value, unsigned size)
{
    unsigned bits = size >= 8 ? 64 : size * 8;
    int64_t number =
        bits && bits < 64 ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
    if (number > -65536 && number < INT64_C(4294967296))
        buffer_printf(out, "%lld", (long long)number);
    else
        buffer_printf(out, "0x%llx", (unsigned long long)value);
}

/* Adds the value in the form of its type, or as a number. */
static void add_typed_value(struct buffer *out, const char *text, uint64_t value, unsigned size)
{
    if (text)
        add_clean(out, text);
    else
        add_value(out, value, size);
}

void add_value_before(struct buffer *out, const struct trace_event *event)
{
    add_typed_value(out, event->before_text, event->before, event->operation.size);
}

void add_value_after(struct buffer *out, const struct trace_event *event)
{
    add_typed_value(out, event->after_text, event->after, event->operation.size);
}

bool is_atomic_kind(int kind)
{
    return kind == OP_LOAD || kind == OP_STORE || kind == OP_RMW || kind == OP_CAS;
}

static bool is_memory(int kind)
{
    return is_atomic_kind(kind) || kind == OP_PLAIN_READ || kind == OP_PLAIN_WRITE;
}

static void add_order(struct buffer *out, const struct trace_operation *operation)
{
    /* sequential consistency is the default, so only weaker orders are shown */
    if (!*operation->call && is_atomic_kind(operation->kind) &&
        operation->order != __ATOMIC_SEQ_CST)
        buffer_printf(out, " (%s)", name_of(memory_order_names, (unsigned)operation->order));
}

static void add_object(struct buffer *out, const char *object)
{
    if (!*object)
        return;
    buffer_text(out, " ");
    add_clean(out, object);
}

/* " from T1 #9": the write of another thread that a read saw. False: there is none. */
static bool add_source(struct buffer *out, const struct trace *trace,
                       const struct trace_event *event, const char *preposition)
{
    if (!(event->operation.flags & OP_READS) || event->reads_from == TRACE_NO_EVENT ||
        trace->event[event->reads_from].tid == event->tid)
        return false;
    buffer_text(out, preposition);
    add_thread(out, trace, trace->event[event->reads_from].tid);
    buffer_printf(out, " #%u", event->reads_from + 1);
    return true;
}

/* "x = 1 (acquire) from T1 #9", "x: 1 (T1 #9) → 2": what was found there is from the thread. */
static void add_memory_values(struct buffer *out, const struct trace *trace,
                              const struct trace_event *event)
{
    const struct trace_operation *operation = &event->operation;
    bool writes = operation->flags & OP_WRITES;
    if (!event->has_values)
        return;
    if (operation->kind == OP_CAS && !writes)
        buffer_text(out, " fails,");
    buffer_text(out, writes ? ": " : " = ");
    add_value_before(out, event);
    if (writes) {
        if (add_source(out, trace, event, " ("))
            buffer_text(out, ")");
        buffer_text(out, " → ");
        add_value_after(out, event);
    }
    add_order(out, operation);
    if (!writes)
        add_source(out, trace, event, " from ");
}

/* "wakes T1, T2 and T3" */
static void add_woken(struct buffer *out, const struct trace *trace,
                      const struct trace_event *event)
{
    int left = threadset_count(&event->woken);
    if (event->other < 0) {
        buffer_text(out, ": nobody waits");
        return;
    }
    buffer_text(out, ", wakes ");
    if (left < 2)
        add_thread(out, trace, event->other);
    for (int tid = threadset_next(&event->woken, 0); left > 1 && tid >= 0;
         tid = threadset_next(&event->woken, tid + 1)) {
        add_thread(out, trace, tid);
        int next = threadset_next(&event->woken, tid + 1);
        if (next >= 0)
            buffer_text(out, threadset_next(&event->woken, next + 1) < 0 ? " and " : ", ");
    }
}

/* Adds what a call did, if the operation's name does not say it. */
static void add_call_result(struct buffer *out, const struct trace *trace,
                            const struct trace_event *event)
{
    const struct trace_operation *operation = &event->operation;
    switch (operation->kind) {
    case OP_COND_WAIT:
        if (*operation->second) {
            buffer_text(out, ", releases");
            add_object(out, operation->second);
        }
        return;
    case OP_COND_SIGNAL:
    case OP_COND_BROADCAST:
    case OP_FUTEX_WAKE:
        add_woken(out, trace, event);
        return;
    case OP_CHOOSE:
        buffer_printf(out, " → %d", event->result);
        return;
    default:
        break;
    }
    if (operation->flags & OP_TIMED_OUT)
        buffer_text(out, ": timed out");
    else if (operation->flags & OP_FAILED)
        buffer_text(out, ": fails");
}

/* What C++ calls a read-modify-write, by the library's function on top of the stack; NULL: it
 * is not known. */
static const char *name_of_update(const struct source_stack *stack)
{
    static const char *const names[][2] = {
        {"::fetch_add", "fetch_add"},       {"::fetch_sub", "fetch_sub"},
        {"::fetch_and", "fetch_and"},       {"::fetch_or", "fetch_or"},
        {"::fetch_xor", "fetch_xor"},       {"::exchange", "exchange"},
        {"::operator++", "increment"},      {"::operator--", "decrement"},
        {"::test_and_set", "test_and_set"},
    };
    const struct source_place *top = stack && stack->count ? &stack->place[0] : NULL;
    if (!top || !top->library || !top->function || !begins_with(top->function, "std::"))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *at = strstr(top->function, names[i][0]);
        if (at && strlen(at) == strlen(names[i][0]))
            return names[i][1];
    }
    return NULL;
}

void add_operation_at(struct buffer *out, const struct trace_operation *operation,
                      const struct source_stack *stack)
{
    const char *update =
        operation->kind == OP_RMW && !*operation->call ? name_of_update(stack) : NULL;
    if (update) {
        buffer_text(out, update);
        add_object(out, operation->object);
    } else {
        add_operation(out, operation);
    }
}

void add_operation(struct buffer *out, const struct trace_operation *operation)
{
    if (operation->public_object) { /* "acquire pool.free_" */
        const char *function = operation->call;
        for (const char *at; (at = strstr(function, "::"));)
            function = at + strlen("::");
        add_clean(out, function);
        add_object(out, operation->object);
        return;
    }
    if (*operation->call) {
        add_function(out, operation->call);
        buffer_text(out, "()");
        return;
    }
    if (operation->kind == OP_STATEMENT) { /* of a model: its text is enough */
        add_clean(out, operation->object);
        return;
    }
    static const char *const verbs[OP_KINDS] = {
        [OP_START] = "starts",
        [OP_THREAD_EXIT] = "ends",
        [OP_PROCESS_EXIT] = "exit",
        [OP_COND_WAIT] = "wait for",
        [OP_COND_WAKE] = "wake up and lock",
        [OP_MUTEX_INIT] = "initialise",
        [OP_MUTEX_DESTROY] = "destroy",
        [OP_COND_INIT] = "initialise",
        [OP_COND_DESTROY] = "destroy",
        [OP_RWLOCK_INIT] = "initialise",
        [OP_RWLOCK_DESTROY] = "destroy",
        [OP_SPIN_INIT] = "initialise",
        [OP_SPIN_DESTROY] = "destroy",
        [OP_BARRIER_INIT] = "initialise",
        [OP_BARRIER_DESTROY] = "destroy",
        [OP_SEM_INIT] = "initialise",
        [OP_SEM_DESTROY] = "destroy",
        [OP_BARRIER_ARRIVE] = "arrive at",
        [OP_BARRIER_LEAVE] = "leave",
        [OP_RMW] = "update",
        [OP_CAS] = "compare-and-swap",
        [OP_RWLOCK_READ] = "lock",
        [OP_RWLOCK_TRYREAD] = "trylock",
        [OP_RWLOCK_WRITE] = "lock",
        [OP_RWLOCK_TRYWRITE] = "trylock",
        [OP_RWLOCK_UNLOCK] = "unlock",
        [OP_HISTORY_BEGIN] = "begin",
        [OP_HISTORY_END] = "end",
        [OP_SHARED] = "use",
        [OP_READY] = "input or output",
        [OP_SIGNAL] = "signal handler",
        [OP_SECTION] = "section begins",
    };
    if (operation->kind == OP_JOIN && !*operation->object) { /* after pthread_exit in main */
        buffer_text(out, "the end of all threads");
        return;
    }
    const char *verb =
        operation->kind >= 0 && operation->kind < OP_KINDS ? verbs[operation->kind] : NULL;
    buffer_text(out, verb ? verb : op_kind_name(operation->kind));
    add_object(out, operation->object);
    buffer_text(out, lock_mode(operation->kind));
}

const char *lock_mode(int kind)
{
    bool shared = kind == OP_RWLOCK_READ || kind == OP_RWLOCK_TRYREAD;
    bool exclusive = kind == OP_RWLOCK_WRITE || kind == OP_RWLOCK_TRYWRITE;
    return shared ? " (shared)" : exclusive ? " (exclusive)" : "";
}

/* "P(0).x" is x in the column of P(0). */
static const char *name_in_column(const char *name, const char *process)
{
    size_t length = strlen(process);
    return strncmp(name, process, length) == 0 && name[length] == '.' ? name + length + 1
                                                                      : name;
}

/* Models: "   x: 0 → 1, q: [] → [3]" */
static void add_changes(struct buffer *out, const struct trace *trace,
                        const struct trace_event *event)
{
    const char *process = trace->thread[event->tid].name;
    for (size_t i = 0; i < event->nchanges; i++) {
        buffer_text(out, i ? ", " : "   ");
        add_clean(out, name_in_column(event->change[i].name, process));
        buffer_text(out, ": ");
        add_clean(out, event->change[i].before);
        buffer_text(out, " → ");
        add_clean(out, event->change[i].after);
    }
}

/* A step of a model. */
static void add_statement(struct buffer *out, const struct trace *trace,
                          const struct trace_event *event)
{
    add_clean(out, event->statement);
    if (event->reads_from != TRACE_NO_EVENT) { /* the message */
        buffer_text(out, " ← ");
        add_thread(out, trace, trace->event[event->reads_from].tid);
        buffer_printf(out, " #%u", event->reads_from + 1);
    }
    if (event->operation.kind == OP_SEND && event->operation.second[0]) {
        buffer_text(out, "   sends ");
        add_clean(out, event->operation.second);
    }
    add_changes(out, trace, event);
    if (event->label[0]) {
        buffer_text(out, "   prints ");
        add_clean(out, event->label);
    }
}

void add_event_phrase(struct buffer *out, const struct trace *trace, uint32_t index)
{
    const struct trace_event *event = &trace->event[index];
    if (event->statement) {
        add_statement(out, trace, event);
        return;
    }
    add_operation_at(out, &event->operation, &event->stack);
    if (event->operation.kind == OP_START && trace->thread[event->tid].function[0]) {
        buffer_text(out, " in ");
        add_function(out, trace->thread[event->tid].function);
    }
    if (*event->operation.call && !event->operation.public_object)
        add_source(out, trace, event, " sees ");
    else if (is_memory(event->operation.kind))
        add_memory_values(out, trace, event);
    else
        add_call_result(out, trace, event);
    if (event->label[0]) {
        buffer_text(out, " [");
        add_clean(out, event->label);
        buffer_text(out, "]");
    }
}

/* The object of a call through its table of virtual functions, "Sink" of "Sink._vptr.Sink (new
 * at main():9)"; 0: it is another access. */
static size_t length_before_table(const struct trace_access *access)
{
    const char *table = strstr(access->object, "._vptr.");
    if (!table)
        table = strstr(access->object, "->_vptr.");
    return table && !access->write && !access->is_free ? (size_t)(table - access->object) : 0;
}

void add_access_words(struct buffer *out, const struct trace_access *access)
{
    size_t object = length_before_table(access);
    if (object) {
        const char *origin = strstr(access->object, " (new at ");
        char *name = copy_bytes(access->object, object);
        buffer_text(out, "virtual call on ");
        add_clean(out, name);
        add_clean(out, origin ? origin : "");
        free(name);
        return;
    }
    buffer_text(out, access->is_free ? "free of " : access->write ? "write of " : "read of ");
    add_clean(out, access->object);
}

/* A wait is two operations: the second, the wake-up, names only the mutex. */
const char *awaited_condition(const struct trace *trace, int tid)
{
    if (trace->thread[tid].pending.kind != OP_COND_WAKE)
        return NULL;
    for (size_t i = trace->nevents; i-- > 0;)
        if (trace->event[i].tid == tid && trace->event[i].operation.kind == OP_COND_WAIT)
            return trace->event[i].operation.object;
    return NULL;
}

void add_pending_phrase(struct buffer *out, const struct trace *trace, int tid)
{
    const struct trace_thread *thread = &trace->thread[tid];
    const char *condition = awaited_condition(trace, tid);
    if (condition) {
        buffer_text(out, "a signal on");
        add_object(out, condition);
        return;
    }
    add_operation_at(out, &thread->pending, &thread->stack);
    add_order(out, &thread->pending);
}

void add_holder(struct buffer *out, const struct trace *trace, int tid)
{
    const struct trace_thread *thread = &trace->thread[tid];
    if (thread->waits_for < 0 || thread->pending.kind == OP_JOIN)
        return;
    buffer_text(out, ", held by ");
    if (thread->waits_for == tid)
        buffer_text(out, "itself");
    else
        add_thread(out, trace, thread->waits_for);
}

void add_awaited(struct buffer *out, const struct trace *trace, int tid)
{
    const struct trace_thread *thread = &trace->thread[tid];
    if (awaited_condition(trace, tid) || !*thread->pending.object)
        add_pending_phrase(out, trace, tid);
    else
        add_clean(out, thread->pending.object);
}

void add_final_wait(struct buffer *out, const struct trace *trace, int tid)
{
    const struct trace_thread *thread = &trace->thread[tid];
    bool signal = awaited_condition(trace, tid);
    add_thread(out, trace, tid);
    buffer_text(out, thread->state == THREAD_SPINNING ? " spins: "
                     : signal                         ? " waits for "
                                                      : " blocks: ");
    add_pending_phrase(out, trace, tid);
    add_holder(out, trace, tid);
}

/* The condition that the thread which lost control at the event has begun to wait for, or NULL.
 */
static const char *condition_waited_for(const struct trace *trace, uint32_t index)
{
    int tid = trace->event[index].from;
    for (uint32_t i = index; i-- > 0;)
        if (trace->event[i].tid == tid)
            return trace->event[i].operation.kind == OP_COND_WAIT
                       ? trace->event[i].operation.object
                       : NULL;
    return NULL;
}

void add_switch_phrase(struct buffer *out, const struct trace *trace, uint32_t index,
                       uint32_t next)
{
    const struct trace_event *event = &trace->event[index];
    struct buffer waits = {0};
    const char *condition =
        event->reason == SWITCH_BLOCKED ? condition_waited_for(trace, index) : NULL;
    if (condition) {
        add_thread(out, trace, event->from);
        buffer_text(out, " waits for a signal on");
        add_object(out, condition);
        return;
    }
    if (event->reason == SWITCH_BLOCKED && next == TRACE_NO_EVENT && !event->blocked_on &&
        event->from >= 0 && trace->thread[event->from].state == THREAD_BLOCKED &&
        trace->thread[event->from].pending.kind != OP_NONE) {
        add_final_wait(out, trace, event->from);
        return;
    }
    if (event->blocked_on)
        add_clean(&waits, event->blocked_on);
    else if (next != TRACE_NO_EVENT && trace->event[next].statement)
        add_clean(&waits, trace->event[next].statement);
    else if (next != TRACE_NO_EVENT)
        add_operation_at(&waits, &trace->event[next].operation, &trace->event[next].stack);
    else if (event->from >= 0 && trace->thread[event->from].pending.kind != OP_NONE)
        add_pending_phrase(&waits, trace, event->from);
    add_thread(out, trace, event->from);
    switch (event->reason) {
    case SWITCH_PREEMPTED:
        buffer_printf(out, " is preempted%s%s", waits.length ? " before " : "",
                      waits.length ? waits.data : "");
        break;
    case SWITCH_BLOCKED:
        if (trace->recipe.model &&
            !waits.length) /* it waits until the processes that it started have ended */
            buffer_text(out, " is at its end");
        else
            buffer_printf(out, " blocks%s%s", waits.length ? ": " : "",
                          waits.length ? waits.data : "");
        break;
    case SWITCH_FINISHED:
        buffer_text(out, " has ended");
        break;
    case SWITCH_YIELDED:
        buffer_text(out, " yields");
        break;
    case SWITCH_SPINNING:
        buffer_printf(out, " spins%s%s", waits.length ? ": " : "",
                      waits.length ? waits.data : "");
        break;
    case SWITCH_NONE:
        break;
    }
    buffer_release(&waits);
}
