/* Writing traces as JSON. Reading is in trace_read.c. See trace_json.h. */
#include "trace/trace_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "trace/json_fields.h"
#include "trace/names.h"
#include "trace/trace_history.h"
#include "trace/verdict.h"

/* --- Places --- */

struct place_table {
    json_t *list;
    struct pool *pool;
    struct table index; /* hash of the place → number + 1 */
};

struct place_table *place_table_new(void)
{
    struct place_table *table = allocate(sizeof *table);
    table->list = json_array();
    table->pool = pool_create_private((size_t)1 << 30);
    if (!table->pool)
        out_of_memory();
    table_init(&table->index, table->pool, sizeof(uint64_t));
    return table;
}

void place_table_free(struct place_table *table)
{
    json_decref(table->list);
    pool_destroy_private(table->pool);
    free(table);
}

json_t *place_table_json(const struct place_table *table)
{
    return json_incref(table->list);
}

static json_t *place_json(const struct source_place *place)
{
    json_t *object = json_object();
    put_text(object, "function", place->function);
    put_text(object, "file", place->file);
    if (place->line)
        put_number(object, "line", place->line);
    if (place->library)
        put_field(object, "library", json_true());
    if (place->inlined)
        put_field(object, "inline", json_true());
    return object;
}

static struct hash128 place_hash(const struct source_place *place)
{
    struct hash128 hash = {(uint64_t)place->line,
                           place->library | (uint64_t)place->inlined << 1};
    for (const char *at = place->function; at && *at; at++)
        hash128_join(&hash, (unsigned char)*at);
    hash128_join(&hash, 256);
    for (const char *at = place->file; at && *at; at++)
        hash128_join(&hash, (unsigned char)*at);
    return hash;
}

static json_t *place_number(struct place_table *table, const struct source_place *place)
{
    struct hash128 hash = place_hash(place);
    uint64_t *number = table_put(&table->index, hash.low, hash.high, NULL);
    if (*number)
        return json_integer((json_int_t)*number - 1);
    json_array_append_new(table->list, place_json(place));
    size_t count = json_array_size(table->list);
    *number = count;
    return json_integer((json_int_t)count - 1);
}

static void put_stack(json_t *object, const char *key, const struct source_stack *stack,
                      struct place_table *places)
{
    if (!stack->count)
        return;
    json_t *list = json_array();
    for (size_t i = 0; i < stack->count; i++)
        json_array_append_new(list, places ? place_number(places, &stack->place[i])
                                           : place_json(&stack->place[i]));
    put_field(object, key, list);
}

json_t *json_location(const struct source_place *place)
{
    if (!place)
        return json_null();
    char *text = place_text(place);
    json_t *location = json_safe_text(text);
    free(text);
    return location;
}

/* --- Parts of a trace --- */

static bool has_order(int kind)
{
    return kind == OP_LOAD || kind == OP_STORE || kind == OP_RMW || kind == OP_CAS;
}

static void put_operation(json_t *object, const struct trace_operation *operation)
{
    put_field(object, "operation", json_string(op_kind_name(operation->kind)));
    put_number(object, "flags", operation->flags);
    if (has_order(operation->kind))
        put_text(object, "order", name_of(memory_order_names, (unsigned)operation->order));
    if (operation->size)
        put_number(object, "size", operation->size);
    put_text(object, "object", operation->object);
    put_text(object, "second", operation->second);
    if (operation->internal)
        put_field(object, "internal", json_true());
    put_text(object, "call", operation->call);
    if (operation->public_object)
        put_field(object, "public_object", json_true());
}

/* 64-bit values do not fit a JSON number of most readers: hexadecimal text. */
static void put_value(json_t *object, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
    put_field(object, key, json_string(text));
}

static json_t *changes_json(const struct trace_event *event)
{
    json_t *list = json_array();
    for (size_t i = 0; i < event->nchanges; i++) {
        json_t *change = json_object();
        put_field(change, "name", json_safe_text(event->change[i].name));
        put_field(change, "before", json_safe_text(event->change[i].before));
        put_field(change, "after", json_safe_text(event->change[i].after));
        json_array_append_new(list, change);
    }
    return list;
}

json_t *json_event(const struct trace_event *event, struct place_table *places)
{
    json_t *object = json_object();
    put_number(object, "thread", event->tid);
    put_operation(object, &event->operation);
    if (event->reason != SWITCH_NONE) {
        put_text(object, "switch", name_of(switch_reason_names, event->reason));
        put_number(object, "from", event->from);
    }
    if (event->has_values) {
        put_value(object, "before", event->before);
        put_value(object, "after", event->after);
        put_text(object, "before_text", event->before_text);
        put_text(object, "after_text", event->after_text);
    }
    if (event->reads_from != TRACE_NO_EVENT)
        put_number(object, "reads_from", event->reads_from);
    if (event->result)
        put_number(object, "result", event->result);
    if (event->other >= 0)
        put_number(object, "other", event->other);
    if (threadset_count(&event->woken) > 1) {
        json_t *woken = json_array();
        for (int tid = threadset_next(&event->woken, 0); tid >= 0;
             tid = threadset_next(&event->woken, tid + 1))
            json_array_append_new(woken, json_integer(tid));
        put_field(object, "woken", woken);
    }
    put_text(object, "blocked_on", event->blocked_on);
    put_text(object, "label", event->label);
    put_text(object, "statement", event->statement);
    if (event->nchanges)
        put_field(object, "changes", changes_json(event));
    put_field(object, "location", json_location(stack_user_place(&event->stack)));
    if (places || (event->stack.count && event->stack.place[0].inlined))
        put_stack(object, "stack", &event->stack, places);
    return object;
}

json_t *json_thread(const struct trace_thread *thread, struct place_table *places)
{
    json_t *object = json_object();
    put_text(object, "name", thread->name);
    put_text(object, "function", thread->function);
    put_number(object, "parent", thread->parent);
    put_number(object, "number", thread->number);
    put_text(object, "state", name_of(thread_state_names, thread->state));
    if (thread->pending.kind != OP_NONE) {
        json_t *pending = json_object();
        put_operation(pending, &thread->pending);
        put_field(object, "pending", pending);
    }
    if (thread->waits_for >= 0)
        put_number(object, "waits_for", thread->waits_for);
    json_t *locks = json_array();
    for (size_t i = 0; i < thread->nlocks; i++) {
        json_t *lock = json_object();
        struct source_stack taken = {1, &thread->lock[i].taken};
        put_field(lock, "name", json_safe_text(thread->lock[i].name));
        put_stack(lock, "taken", &taken, places);
        json_array_append_new(locks, lock);
    }
    put_field(object, "locks", locks);
    put_stack(object, "stack", &thread->stack, places);
    return object;
}

static json_t *access_json(const struct trace_access *access, struct place_table *places)
{
    json_t *object = json_object();
    put_number(object, "thread", access->tid);
    put_flag(object, "write", access->write);
    put_flag(object, "atomic", access->atomic);
    put_flag(object, "is_free", access->is_free);
    put_number(object, "size", access->size);
    put_text(object, "object", access->object);
    if (access->event != TRACE_NO_EVENT)
        put_number(object, "event", access->event);
    json_t *locks = json_array();
    for (size_t i = 0; i < access->nlocks; i++)
        json_array_append_new(locks, json_safe_text(access->lock[i]));
    put_field(object, "locks", locks);
    put_stack(object, "stack", &access->stack, places);
    return object;
}

json_t *json_failure(const struct trace_failure *failure, struct place_table *places)
{
    json_t *object = json_object();
    put_field(object, "kind", json_string(failure_name(failure->kind)));
    put_field(object, "message", json_safe_text(failure->message));
    put_text(object, "detail", failure->detail);
    put_number(object, "thread", failure->tid);
    put_number(object, "signal", failure->signal);
    put_number(object, "status", failure->status);
    put_number(object, "preemptions", failure->preemptions);
    put_number(object, "bound", failure->bound);
    if (failure->cycle)
        put_number(object, "cycle", failure->cycle);
    put_number(object, "execution", (int64_t)failure->execution);
    put_number(object, "step", failure->step);
    put_stack(object, "stack", &failure->stack, places);
    json_t *accesses = json_array();
    for (size_t i = 0; i < failure->naccesses; i++)
        json_array_append_new(accesses, access_json(&failure->access[i], places));
    put_field(object, "accesses", accesses);
    if (failure->has_block) {
        json_t *block = json_object();
        put_number(block, "size", (int64_t)failure->block_size);
        put_text(block, "name", failure->block_name);
        put_number(block, "allocated_by", failure->block_owner);
        put_number(block, "freed_by", failure->freed_by);
        if (failure->freed_by >= 0 && failure->freed_event != TRACE_NO_EVENT)
            put_number(block, "freed_event", failure->freed_event);
        put_stack(block, "allocated", &failure->allocated, places);
        put_stack(block, "freed", &failure->freed, places);
        put_field(object, "block", block);
    }
    if (failure->history)
        put_field(object, "history", history_json(failure->history));
    return object;
}
