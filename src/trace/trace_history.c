/* See trace_history.h. What comes from the board was written by the program under test and what comes
 * from a file by anybody: every number is bounded before it is used. */
#include "trace/trace_history.h"

#include <stdlib.h>
#include <string.h>

#include "trace/trace_json.h"

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

/* One serial execution of the same calls: the first result that is another one. */
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
    if (first == seen->count) /* explained after all: it is another operation that is not */
        first = 0;
    const struct linear_operation *other = &serial[place[first]];
    order->differs = calls[first];
    order->serial_result =
        other->result == LINEAR_PENDING ? NULL : name_at(trace, board, other->result);
}

/* What has to be explained: everything, or where it got stuck what was completed and the first
 * pending operation that nothing explains. `calls` says which calls of the history these are.
 */
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
    if (kind == FAILURE_LINEARIZABILITY)
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

struct scan {
    struct trace *trace;
    bool *wrong;
};

static uint32_t number_of(struct scan *scan, const json_t *value, json_int_t limit)
{
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    if (number < 0 || number >= limit) {
        *scan->wrong = true;
        return 0;
    }
    return (uint32_t)number;
}

static const char *text_of(struct scan *scan, const json_t *value)
{
    if (!json_is_string(value)) {
        *scan->wrong = true;
        return "";
    }
    return arena_text(&scan->trace->arena, json_string_value(value));
}

static const char *read_result(struct scan *scan, const json_t *value)
{
    return json_is_null(value) ? NULL : text_of(scan, value);
}

static void read_order(struct scan *scan, const json_t *object, size_t ncalls,
                       struct trace_order *order)
{
    const json_t *list = json_object_get(object, "calls");
    order->count = json_array_size(list);
    if (order->count == 0 || order->count > ncalls) {
        *scan->wrong = true;
        order->count = 0;
    }
    order->call = arena_alloc(&scan->trace->arena, order->count * sizeof *order->call);
    for (size_t i = 0; i < order->count; i++)
        order->call[i] = number_of(scan, json_array_get(list, i), (json_int_t)ncalls);
    order->differs = number_of(scan, json_object_get(object, "differs"), (json_int_t)ncalls);
    order->serial_result = read_result(scan, json_object_get(object, "serial_result"));
}

struct trace_history *history_read(struct trace *trace, const json_t *object, bool *wrong)
{
    struct scan scan = {trace, wrong};
    const json_t *calls = json_object_get(object, "calls");
    const json_t *orders = json_object_get(object, "orders");
    struct trace_history *history = arena_alloc(&trace->arena, sizeof *history);
    *history = (struct trace_history){.ncalls = json_array_size(calls),
                                      .norders = json_array_size(orders)};
    if (history->ncalls > LINEAR_OPERATIONS || history->norders > HISTORY_ORDERS) {
        *wrong = true;
        return NULL;
    }
    history->call = arena_alloc(&trace->arena, history->ncalls * sizeof *history->call);
    history->order = arena_alloc(&trace->arena, history->norders * sizeof *history->order);
    for (size_t i = 0; i < history->ncalls; i++) {
        const json_t *item = json_array_get(calls, i);
        struct trace_call *call = &history->call[i];
        call->tid =
            (int)number_of(&scan, json_object_get(item, "thread"), (json_int_t)trace->nthreads);
        call->operation = text_of(&scan, json_object_get(item, "operation"));
        call->arguments = text_of(&scan, json_object_get(item, "arguments"));
        call->result = read_result(&scan, json_object_get(item, "result"));
        call->begin = number_of(&scan, json_object_get(item, "begin"), UINT32_MAX);
        call->end = call->result ? number_of(&scan, json_object_get(item, "end"), UINT32_MAX)
                                 : LINEAR_PENDING;
    }
    for (size_t i = 0; i < history->norders; i++)
        read_order(&scan, json_array_get(orders, i), history->ncalls, &history->order[i]);
    history->fitting = number_of(&scan, json_object_get(object, "fitting"), UINT32_MAX);
    history->serial = number_of(&scan, json_object_get(object, "serial"), UINT32_MAX);
    return *wrong ? NULL : history;
}

/* --- Text --- */

#define COLUMN 24

static void add_call(struct buffer *out, const struct trace_call *call)
{
    add_clean(out, call->operation);
    buffer_text(out, "(");
    add_clean(out, call->arguments);
    buffer_text(out, ")");
}

static void pad_to(struct buffer *out, size_t line, size_t column)
{
    do
        buffer_text(out, " ");
    while (out->length - line < column);
}

/* Threads that have calls, in order; returns their number and fills `column` by thread. */
static size_t columns_of(const struct trace *trace, size_t *column)
{
    const struct trace_history *history = trace->failure.history;
    size_t count = 0;
    for (size_t t = 0; t < trace->nthreads; t++) {
        column[t] = SIZE_MAX;
        for (size_t i = 0; i < history->ncalls && column[t] == SIZE_MAX; i++)
            if ((size_t)history->call[i].tid == t)
                column[t] = count++;
    }
    return count;
}

static void add_moment(struct report *report, const struct trace_call *call, bool begins,
                       const size_t *column)
{
    struct buffer *out = report->out;
    size_t line = out->length;
    pad_to(out, line, 4 + column[call->tid] * COLUMN);
    add_call(out, call);
    if (begins) {
        buffer_text(out, call->result ? " …" : " … waits for ever");
    } else {
        buffer_text(out, " = ");
        add_clean(out, call->result);
    }
    buffer_text(out, "\n");
}

/* Begins and ends in the order of time, each in its thread's column; a call that nothing
 * overlaps is one line. */
static void add_table(struct report *report, const size_t *column)
{
    const struct trace_history *history = report->trace->failure.history;
    uint32_t moment = 0;
    for (size_t shown = 0; shown < 2 * history->ncalls; shown++) {
        const struct trace_call *next = NULL;
        uint32_t when = UINT32_MAX;
        for (size_t i = 0; i < history->ncalls; i++) {
            const struct trace_call *call = &history->call[i];
            uint32_t at = call->begin >= moment ? call->begin : call->end;
            if (at >= moment && at < when && at != LINEAR_PENDING) {
                when = at;
                next = call;
            }
        }
        if (!next)
            return;
        bool begins = next->begin == when;
        bool alone = begins && next->end == when + 1;
        add_moment(report, next, begins && !alone, column);
        moment = when + 1 + alone;
    }
}

static void add_serial_order(struct report *report, const struct trace_order *order)
{
    const struct trace_history *history = report->trace->failure.history;
    const struct trace_call *call = &history->call[order->differs];
    struct buffer *out = report->out;
    buffer_text(out, "   ");
    for (size_t i = 0; i < order->count; i++) {
        buffer_text(out, " ");
        add_call(out, &history->call[order->call[i]]);
    }
    buffer_text(out, ": there ");
    add_call(out, call);
    buffer_text(out, order->serial_result ? " = " : " waits for ever");
    add_clean(out, order->serial_result ? order->serial_result : "");
    buffer_text(out, call->result ? ", here " : ", here it waits for ever");
    add_clean(out, call->result ? call->result : "");
    buffer_text(out, "\n");
}

static void add_why(struct report *report)
{
    const struct trace_history *history = report->trace->failure.history;
    struct buffer *out = report->out;
    buffer_text(out, "\n");
    add_painted(report, PAINT_STRONG, "  Why no serial order fits:\n");
    if (history->fitting == 0) {
        buffer_printf(out,
                      "    none of the %u serial histories makes these calls in an order that "
                      "keeps what ended before what began\n",
                      history->serial);
        return;
    }
    buffer_printf(out,
                  "    %u of %u serial histories make%s these calls and keep%s what ended "
                  "before what began;%s a result differs\n",
                  history->fitting, history->serial, history->fitting == 1 ? "s" : "",
                  history->fitting == 1 ? "s" : "",
                  history->fitting == 1 ? "" : " in each of them");
    for (size_t i = 0; i < history->norders; i++)
        add_serial_order(report, &history->order[i]);
    if (history->fitting > history->norders)
        buffer_printf(out, "    ⋮ %u more\n", history->fitting - (uint32_t)history->norders);
}

void add_history(struct report *report)
{
    const struct trace *trace = report->trace;
    struct buffer *out = report->out;
    size_t *column = allocate(trace->nthreads * sizeof *column);
    size_t count = columns_of(trace, column);
    buffer_text(out, "\n");
    add_painted(report, PAINT_STRONG, "  The history, time downwards:\n");
    size_t line = out->length;
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < trace->nthreads; t++)
            if (column[t] == i) {
                pad_to(out, line, 4 + i * COLUMN);
                add_thread(out, trace, (int)t);
            }
    buffer_text(out, "\n");
    add_table(report, column);
    add_why(report);
    free(column);
}
