/* See library_calls.h. */
#include "trace/library_calls.h"

#include <string.h>

/* Is it a function of an object that consists of atomic operations and futexes, such as a
 * semaphore? To its users the call is one operation. */
static bool is_call_on_object(const char *function)
{
    static const char *const types[] = {"std::counting_semaphore<", "std::latch::", NULL};
    for (const char *const *type = types; *type; type++)
        if (begins_with(function, *type))
            return true;
    return false;
}

/* Cuts the offset off "logger.memory_+80": a memory resource locks a part of itself, about
 * which its type says no more. */
static const char *whole_object(struct arena *arena, const char *object)
{
    const char *plus = strrchr(object, '+');
    if (!plus || !plus[1] || strspn(plus + 1, "0123456789") != strlen(plus + 1))
        return NULL;
    return arena_bytes(arena, object, (size_t)(plus - object));
}

void name_library_call(struct arena *arena, struct trace_operation *operation,
                       const struct source_stack *stack)
{
    bool futex = operation->kind == OP_FUTEX_WAIT && !*operation->object;
    size_t user = 0;
    while (user < stack->count && (stack->place[user].library || !stack->place[user].file))
        user++;
    const char *function = user ? stack->place[user - 1].function : NULL;
    if (user == stack->count || !function || !begins_with(function, "std::"))
        return;
    bool on_object = is_call_on_object(function);
    const char *whole =
        begins_with(function, "std::pmr::") ? whole_object(arena, operation->object) : NULL;
    operation->public_object = on_object && !operation->internal && *operation->object;
    if (!operation->internal && !futex && !on_object && !whole)
        return;
    operation->object = whole ? whole : operation->object;
    operation->internal = true;
    operation->call = function;
}

void name_awaited_object(struct trace *trace, int tid)
{
    struct trace_operation *pending = &trace->thread[tid].pending;
    if (!*pending->call || !is_call_on_object(pending->call) || pending->public_object)
        return;
    for (size_t i = trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        if (event->tid != tid || event->operation.kind == OP_YIELD)
            continue;
        if (event->operation.public_object &&
            strcmp(event->operation.call, pending->call) == 0) {
            pending->object = event->operation.object;
            pending->public_object = true;
        }
        return;
    }
}
