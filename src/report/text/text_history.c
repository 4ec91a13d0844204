/* The history of a container's operations in the text report: what each caller did and saw, and
 * why no serial order of the same operations explains it. */
#include <stdlib.h>

#include "explore/judge/linear.h"
#include "report/text/text_private.h"

#define COLUMN       24
#define COLUMN_LEAST 12

static void add_call(struct buffer *out, const struct trace_call *call)
{
    add_clean(out, call->operation);
    buffer_text(out, "(");
    add_clean(out, call->arguments);
    buffer_text(out, ")");
}

/* The columns of the table begin `step` apart. */
struct history_columns {
    size_t *column; /* by thread: its number, SIZE_MAX: it has no calls */
    size_t count;
    size_t step;
};

static void pad_to(struct buffer *out, size_t line, const struct history_columns *columns,
                   size_t tid)
{
    if (out->length > line)
        buffer_text(out, " ");
    buffer_pad(out, line, 4 + columns->column[tid] * columns->step);
}

static struct history_columns columns_of(const struct report *report)
{
    const struct trace *trace = report->trace;
    size_t *column = allocate(trace->nthreads * sizeof *column);
    const struct trace_history *history = trace->failure.history;
    size_t count = 0;
    for (size_t t = 0; t < trace->nthreads; t++) {
        column[t] = SIZE_MAX;
        for (size_t i = 0; i < history->ncalls && column[t] == SIZE_MAX; i++)
            if ((size_t)history->call[i].tid == t)
                column[t] = count++;
    }
    size_t step = count ? (report->width - 4) / count : COLUMN;
    step = step > COLUMN ? COLUMN : step < COLUMN_LEAST ? COLUMN_LEAST : step;
    return (struct history_columns){column, count, step};
}

static void add_moment(struct report *report, const struct trace_call *call, bool begins,
                       const struct history_columns *columns)
{
    struct buffer *out = report->out;
    pad_to(out, out->length, columns, (size_t)call->tid);
    add_call(out, call);
    if (begins) {
        buffer_text(out, call->result ? " …" : " … waits for ever");
    } else {
        buffer_text(out, " = ");
        add_clean(out, call->result);
    }
    buffer_text(out, "\n");
}

/* The begins and ends of calls in order of time, each in its thread's column; a call that no
 * other one overlaps is a single line. */
static void add_table(struct report *report, const struct history_columns *columns)
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
        add_moment(report, next, begins && !alone, columns);
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
        buffer_printf(
            out,
            "    none of the %u serial histories makes these calls and keeps the order "
            "of calls that do not overlap\n",
            history->serial);
        return;
    }
    buffer_printf(out,
                  "    %u of %u serial histories make%s these calls and keep%s the order of "
                  "calls that do not overlap;%s a result differs\n",
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
    struct history_columns columns = columns_of(report);
    buffer_text(out, "\n");
    add_painted(report, PAINT_STRONG, "  The history, time downwards:\n");
    size_t line = out->length;
    for (size_t t = 0; t < trace->nthreads; t++)
        if (columns.column[t] != SIZE_MAX) {
            pad_to(out, line, &columns, t);
            add_thread(out, trace, (int)t);
        }
    buffer_text(out, "\n");
    add_table(report, &columns);
    add_why(report);
    free(columns.column);
}
