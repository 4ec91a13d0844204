/* See trace_history.h. What comes from the board was written by the program under test and what
 * comes from a file by anybody: every number is bounded before it is used. */
#include "trace/trace_history.h"

#include <string.h>

#include "trace/verdict.h"

/* --- From the board --- */

static const char *name_at(struct trace *trace, const struct board *board, uint32_t name)
{
    const char *text = board->serial.name[name % LINEAR_NAMES];
    return arena_bytes(&trace->arena, text, strnlen(text, LINEAR_TEXT - 1));
}

static struct trace_call call_from(struct trace *trace, const struct board *board,
                                   const struct linear_operation *item)
{
    bool pending = item->end == LINEAR_PENDING;
    return (struct trace_call){
        .tid = item->tid < trace->nthreads ? (int)item->tid : 0,
        .operation = name_at(trace, board, item->operation),
        .arguments = name_at(trace, board, item->arguments),
        .result = pending ? NULL : name_at(trace, board, item->result),
        .begin = item->begin,
        .end = item->end,
    };
}

/* Add a serial execution of the same calls, with the first call whose result differs there. */
static void add_order(struct trace *trace, const struct board *board,
                      const struct linear_history *seen, const uint32_t *calls,
                      const struct linear_operation *serial, const uint32_t *place)
{
    struct trace_history *history = trace->failure.history;
    history->fitting++;
    if (history->norders == HISTORY_ORDERS)
        return;
    struct trace_order *order = &history->order[history->norders++];
    uint32_t first = seen->count;
    order->count = seen->count;
    order->call = arena_alloc(&trace->arena, seen->count * sizeof *order->call);
    for (uint32_t i = 0; i < seen->count; i++) {
        order->call[place[i]] = calls[i];
        if (serial[place[i]].result != seen->item[i].result &&
            (first == seen->count || place[i] < place[first]))
            first = i;
    }
    if (first == seen->count) /* this order explains the results, but not a pending operation */
        first = 0;
    const struct linear_operation *other = &serial[place[first]];
    order->differs = calls[first];
    order->serial_result =
        other->result == LINEAR_PENDING ? NULL : name_at(trace, board, other->result);
}

/* The operations that a serial order must explain: the completed ones and, if the execution got
 * stuck, the first pending one that no order explains. `calls` gets their indices in the
 * history. */
static void to_explain(const struct board *board, const struct linear_history *whole,
                       struct linear_history *seen, uint32_t *calls)
{
    int pending = linear_unexplained(&board->serial, whole);
    seen->count = 0;
    for (uint32_t i = 0; i < whole->count; i++) {
        if (whole->item[i].end == LINEAR_PENDING && (int)i != pending)
            continue;
        calls[seen->count] = i;
        seen->item[seen->count++] = whole->item[i];
    }
}

static void capture_orders(struct trace *trace, const struct board *board,
                           const struct linear_history *whole)
{
    const struct linear_table *table = &board->serial;
    struct linear_history seen;
    uint32_t calls[LINEAR_OPERATIONS], place[LINEAR_OPERATIONS];
    to_explain(board, whole, &seen, calls);
    for (uint32_t i = 0; i < table->nhistories; i++) {
        const struct linear_serial *serial = &table->history[i];
        if (serial->first > table->nentries || serial->count > table->nentries - serial->first)
            continue;
        const struct linear_operation *entries = &table->entry[serial->first];
        if (linear_same_calls(&seen, entries, serial->count, place))
            add_order(trace, board, &seen, calls, entries, place);
    }
}

struct trace_history *history_capture(struct trace *trace, const struct board *board,
                                      enum failure_kind kind)
{
    const struct linear_history *whole = &board->history;
    if (whole->count == 0)
        return NULL;
    struct trace_history *history = arena_alloc(&trace->arena, sizeof *history);
    *history =
        (struct trace_history){.ncalls = whole->count, .serial = board->serial.nhistories};
    history->call = arena_alloc(&trace->arena, whole->count * sizeof *history->call);
    for (uint32_t i = 0; i < whole->count; i++)
        history->call[i] = call_from(trace, board, &whole->item[i]);
    history->order = arena_alloc(&trace->arena, HISTORY_ORDERS * sizeof *history->order);
    trace->failure.history = history;
    if (failure_has(kind, FAILURE_HAS_HISTORY))
        capture_orders(trace, board, whole);
    return history;
}

/* --- JSON --- */

static json_t *result_json(const char *result)
{
    return result ? json_safe_text(result) : json_null();
}

static json_t *call_json(const struct trace_call *call)
{
    json_t *end = call->result ? json_integer(call->end) : json_null();
    return json_pack("{s:i, s:o, s:o, s:o, s:I, s:o}", "thread", call->tid, "operation",
                     json_safe_text(call->operation), "arguments",
                     json_safe_text(call->arguments), "result", result_json(call->result),
                     "begin", (json_int_t)call->begin, "end", end);
}

json_t *history_json(const struct trace_history *history)
{
    json_t *calls = json_array(), *orders = json_array();
    for (size_t i = 0; i < history->ncalls; i++)
        json_array_append_new(calls, call_json(&history->call[i]));
    for (size_t i = 0; i < history->norders; i++) {
        const struct trace_order *order = &history->order[i];
        json_t *list = json_array();
        for (size_t j = 0; j < order->count; j++)
            json_array_append_new(list, json_integer(order->call[j]));
        json_array_append_new(orders, json_pack("{s:o, s:I, s:o}", "calls", list, "differs",
                                                (json_int_t)order->differs, "serial_result",
                                                result_json(order->serial_result)));
    }
    return json_pack("{s:o, s:o, s:I, s:I}", "calls", calls, "orders", orders, "fitting",
                     (json_int_t)history->fitting, "serial", (json_int_t)history->serial);
}

static uint32_t decode_number(struct trace_reader *reader, const json_t *value, size_t limit)
{
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    if (number >= 0 && (size_t)number < limit)
        return (uint32_t)number;
    reject_field(reader, "history", "is incomplete");
    return 0;
}

static uint32_t need_moment(struct trace_reader *reader, const json_t *object, const char *key)
{
    return decode_number(reader, json_object_get(object, key), UINT32_MAX);
}

static const char *decode_text(struct trace_reader *reader, const json_t *value)
{
    if (!json_is_string(value))
        reject_field(reader, "history", "is incomplete");
    return json_is_string(value) ? arena_text(&reader->trace->arena, json_string_value(value))
                                 : "";
}

static const char *decode_result(struct trace_reader *reader, const json_t *value)
{
    return json_is_null(value) ? NULL : decode_text(reader, value);
}

static void read_order(struct trace_reader *reader, const json_t *object, size_t ncalls,
                       struct trace_order *order)
{
    const json_t *list = json_object_get(object, "calls");
    order->count = json_array_size(list);
    if (order->count == 0 || order->count > ncalls) {
        reject_field(reader, "history", "is incomplete");
        order->count = 0;
    }
    order->call = arena_alloc(&reader->trace->arena, order->count * sizeof *order->call);
    for (size_t i = 0; i < order->count; i++)
        order->call[i] = decode_number(reader, json_array_get(list, i), ncalls);
    order->differs = decode_number(reader, json_object_get(object, "differs"), ncalls);
    order->serial_result = decode_result(reader, json_object_get(object, "serial_result"));
}

static void read_call(struct trace_reader *reader, const json_t *item, struct trace_call *call)
{
    call->tid =
        (int)decode_number(reader, json_object_get(item, "thread"), reader->trace->nthreads);
    call->operation = decode_text(reader, json_object_get(item, "operation"));
    call->arguments = decode_text(reader, json_object_get(item, "arguments"));
    call->result = decode_result(reader, json_object_get(item, "result"));
    call->begin = need_moment(reader, item, "begin");
    call->end = call->result ? need_moment(reader, item, "end") : LINEAR_PENDING;
}

struct trace_history *read_history(struct trace_reader *reader, const json_t *object)
{
    struct arena *arena = &reader->trace->arena;
    const json_t *calls = json_object_get(object, "calls");
    const json_t *orders = json_object_get(object, "orders");
    struct trace_history *history = arena_alloc(arena, sizeof *history);
    history->ncalls = json_array_size(calls);
    history->norders = json_array_size(orders);
    if (history->ncalls > LINEAR_OPERATIONS || history->norders > HISTORY_ORDERS) {
        reject_field(reader, "history", "is incomplete");
        return NULL;
    }
    history->call = arena_alloc(arena, history->ncalls * sizeof *history->call);
    history->order = arena_alloc(arena, history->norders * sizeof *history->order);
    for (size_t i = 0; i < history->ncalls; i++)
        read_call(reader, json_array_get(calls, i), &history->call[i]);
    for (size_t i = 0; i < history->norders; i++)
        read_order(reader, json_array_get(orders, i), history->ncalls, &history->order[i]);
    history->fitting = need_moment(reader, object, "fitting");
    history->serial = need_moment(reader, object, "serial");
    return history;
}
