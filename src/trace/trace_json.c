/* Writing traces as JSON. Reading is in trace_read.c. See trace_json.h. */
#include "trace/trace_json.h"
#include "trace/reasons.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "trace/trace_history.h"
#include "report/text/model_words.h"
#include "trace/names.h"
#include "trace/verdict.h"

/* --- Text -----------------------------------------------------------------------------------
 */

json_t *json_safe_text(const char *text)
{
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    struct buffer safe = {0};
    while (*text) {
        int length = utf8_length(text);
        if (length) {
            buffer_add(&safe, text, (size_t)length);
            text += length;
        } else {
            buffer_printf(&safe, "\\x%02x", (unsigned char)*text++);
        }
    }
    plain = json_string(safe.data);
    buffer_release(&safe);
    return plain;
}

json_t *json_exact_text(const char *text)
{
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    struct buffer hex = {0};
    for (; *text; text++)
        buffer_printf(&hex, "%02x", (unsigned char)*text);
    plain = json_pack("{s:s}", "bytes", hex.data);
    buffer_release(&hex);
    return plain;
}

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text && *text)
        set(object, key, json_safe_text(text));
}

static void set_number(json_t *object, const char *key, int64_t number)
{
    set(object, key, json_integer(number));
}

/* --- Places ---------------------------------------------------------------------------------
 */

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

static json_t *place_json(const struct trace_place *place)
{
    json_t *object = json_object();
    set_text(object, "function", place->function);
    set_text(object, "file", place->file);
    if (place->line)
        set_number(object, "line", place->line);
    if (place->library)
        set(object, "library", json_true());
    if (place->inlined)
        set(object, "inline", json_true());
    return object;
}

static struct hash128 place_hash(const struct trace_place *place)
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

static json_t *place_number(struct place_table *table, const struct trace_place *place)
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

static void set_stack(json_t *object, const char *key, const struct trace_stack *stack,
                      struct place_table *places)
{
    if (!stack->count)
        return;
    json_t *list = json_array();
    for (size_t i = 0; i < stack->count; i++)
        json_array_append_new(list, places ? place_number(places, &stack->place[i])
                                           : place_json(&stack->place[i]));
    set(object, key, list);
}

json_t *json_location(const struct trace_place *place)
{
    if (!place)
        return json_null();
    char *text = place_text(place);
    json_t *location = json_safe_text(text);
    free(text);
    return location;
}

/* --- Parts of a trace ------------------------------------------------------------------------
 */

static bool has_order(int kind)
{
    return kind == OP_LOAD || kind == OP_STORE || kind == OP_RMW || kind == OP_CAS;
}

static void set_operation(json_t *object, const struct trace_operation *operation)
{
    set(object, "operation", json_string(op_kind_name(operation->kind)));
    set_number(object, "flags", operation->flags);
    if (has_order(operation->kind))
        set_text(object, "order", name_of(memory_order_names, (unsigned)operation->order));
    if (operation->size)
        set_number(object, "size", operation->size);
    set_text(object, "object", operation->object);
    set_text(object, "second", operation->second);
}

/* 64-bit values do not fit a JSON number of most readers: hexadecimal text. */
static void set_value(json_t *object, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
    set(object, key, json_string(text));
}

static json_t *changes_json(const struct trace_event *event)
{
    json_t *list = json_array();
    for (size_t i = 0; i < event->nchanges; i++) {
        json_t *change = json_object();
        set(change, "name", json_safe_text(event->change[i].name));
        set(change, "before", json_safe_text(event->change[i].before));
        set(change, "after", json_safe_text(event->change[i].after));
        json_array_append_new(list, change);
    }
    return list;
}

json_t *json_event(const struct trace_event *event, struct place_table *places)
{
    json_t *object = json_object();
    set_number(object, "thread", event->tid);
    set_operation(object, &event->operation);
    if (event->reason != SWITCH_NONE) {
        set_text(object, "switch", name_of(switch_reason_names, event->reason));
        set_number(object, "from", event->from);
    }
    if (event->has_values) {
        set_value(object, "before", event->before);
        set_value(object, "after", event->after);
    }
    if (event->reads_from != TRACE_NO_EVENT)
        set_number(object, "reads_from", event->reads_from);
    if (event->result)
        set_number(object, "result", event->result);
    if (event->other >= 0)
        set_number(object, "other", event->other);
    if (threadset_count(&event->woken) > 1) {
        json_t *woken = json_array();
        for (int tid = threadset_next(&event->woken, 0); tid >= 0;
             tid = threadset_next(&event->woken, tid + 1))
            json_array_append_new(woken, json_integer(tid));
        set(object, "woken", woken);
    }
    set_text(object, "label", event->label);
    set_text(object, "statement", event->statement);
    if (event->nchanges)
        set(object, "changes", changes_json(event));
    set(object, "location", json_location(stack_user_place(&event->stack)));
    if (places || (event->stack.count && event->stack.place[0].inlined))
        set_stack(object, "stack", &event->stack, places);
    return object;
}

json_t *json_thread(const struct trace_thread *thread, struct place_table *places)
{
    json_t *object = json_object();
    set_text(object, "name", thread->name);
    set_text(object, "function", thread->function);
    set_number(object, "parent", thread->parent);
    set_number(object, "number", thread->number);
    set_text(object, "state", name_of(thread_state_names, thread->state));
    if (thread->pending.kind != OP_NONE) {
        json_t *pending = json_object();
        set_operation(pending, &thread->pending);
        set(object, "pending", pending);
    }
    if (thread->waits_for >= 0)
        set_number(object, "waits_for", thread->waits_for);
    json_t *locks = json_array();
    for (size_t i = 0; i < thread->nlocks; i++) {
        json_t *lock = json_object();
        struct trace_stack taken = {1, &thread->lock[i].taken};
        set(lock, "name", json_safe_text(thread->lock[i].name));
        set_stack(lock, "taken", &taken, places);
        json_array_append_new(locks, lock);
    }
    set(object, "locks", locks);
    set_stack(object, "stack", &thread->stack, places);
    return object;
}

static json_t *access_json(const struct trace_access *access, struct place_table *places)
{
    json_t *object = json_object();
    set_number(object, "thread", access->tid);
    set(object, "write", json_boolean(access->write));
    set(object, "atomic", json_boolean(access->atomic));
    set(object, "is_free", json_boolean(access->is_free));
    set_number(object, "size", access->size);
    set_text(object, "object", access->object);
    if (access->event != TRACE_NO_EVENT)
        set_number(object, "event", access->event);
    json_t *locks = json_array();
    for (size_t i = 0; i < access->nlocks; i++)
        json_array_append_new(locks, json_safe_text(access->lock[i]));
    set(object, "locks", locks);
    set_stack(object, "stack", &access->stack, places);
    return object;
}

json_t *json_failure(const struct trace_failure *failure, struct place_table *places)
{
    json_t *object = json_object();
    set(object, "kind", json_string(failure_name(failure->kind)));
    set(object, "message", json_safe_text(failure->message));
    set_text(object, "detail", failure->detail);
    set_number(object, "thread", failure->tid);
    set_number(object, "signal", failure->signal);
    set_number(object, "status", failure->status);
    set_number(object, "preemptions", failure->preemptions);
    set_number(object, "bound", failure->bound);
    if (failure->cycle)
        set_number(object, "cycle", failure->cycle);
    set_number(object, "execution", (int64_t)failure->execution);
    set_number(object, "step", failure->step);
    set_stack(object, "stack", &failure->stack, places);
    json_t *accesses = json_array();
    for (size_t i = 0; i < failure->naccesses; i++)
        json_array_append_new(accesses, access_json(&failure->access[i], places));
    set(object, "accesses", accesses);
    if (failure->has_block) {
        json_t *block = json_object();
        set_number(block, "size", (int64_t)failure->block_size);
        set_number(block, "allocated_by", failure->block_owner);
        set_number(block, "freed_by", failure->freed_by);
        set_stack(block, "allocated", &failure->allocated, places);
        set_stack(block, "freed", &failure->freed, places);
        set(object, "block", block);
    }
    if (failure->history)
        set(object, "history", history_json(failure->history));
    return object;
}

static json_t *text_array(const char *const *texts, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_safe_text(texts[i]));
    return list;
}

static void uncontrolled_calls(const struct coverage *coverage, struct text_list *list)
{
    reason_details(&coverage->claim, REASON_UNCONTROLLED, list);
}

static void set_list(json_t *object, const char *key, const struct coverage *coverage,
                     void (*collect)(const struct coverage *, struct text_list *))
{
    struct text_list list = {0};
    collect(coverage, &list);
    set(object, key, text_array((const char *const *)list.item, list.count));
    list_release(&list);
}

json_t *json_coverage(const struct coverage *coverage)
{
    const struct search_stats *stats = &coverage->stats;
    json_t *object = json_object();
    if (coverage->model) {
        model_json(object, coverage);
        set_list(object, "notes", coverage, reason_notes);
        return object;
    }
    set(object, "strategy", json_safe_text(coverage->strategy));
    set_number(object, "bound_asked", coverage->bound_asked);
    set_number(object, "fair", coverage->fair);
    set(object, "store_buffers", json_boolean(coverage->store_buffers));
    set_number(object, "executions", (int64_t)stats->executions);
    set_number(object, "pruned", (int64_t)stats->pruned);
    set_number(object, "distinct", (int64_t)stats->distinct);
    set(object, "distinct_exact", json_boolean(coverage->counted));
    set_number(object, "steps", (int64_t)stats->steps);
    set_number(object, "bound", stats->bound);
    set_number(object, "bound_done", stats->bound_done);
    set(object, "pruned_by_bound", json_boolean(stats->pruned_by_bound));
    set(object, "depth_cut", json_boolean(claim_has(&coverage->claim, REASON_STEP_LIMIT)));
    set(object, "complete", json_boolean(coverage->complete));
    set_number(object, "fewest_failing", coverage->fewest_failing);
    if (coverage->restricted && *coverage->restricted)
        set_text(object, "restricted", coverage->restricted);
    set(object, "instrumented", json_boolean(coverage->instrumented));
    set_number(object, "threads", coverage->threads);
    set_number(object, "visible_operations", coverage->visible);
    set_list(object, "uncontrolled", coverage, uncontrolled_calls);
    set_list(object, "notes", coverage, reason_notes);
    set(object, "reasons", json_reasons(&coverage->claim));
    json_t *rows = json_array();
    for (int i = 0; i < stats->nrows; i++) {
        json_t *row = json_object();
        set_number(row, "bound", stats->row[i].bound);
        set_number(row, "executions", (int64_t)stats->row[i].executions);
        set_number(row, "distinct", (int64_t)stats->row[i].distinct);
        json_array_append_new(rows, row);
    }
    set(object, "bounds", rows);
    return object;
}
