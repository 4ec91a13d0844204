/* The history of a container's operations in the text report: what each caller did and saw, and
 * why no serial order of the same operations explains it. */
#include <stdlib.h>

#include "explore/judge/linear.h"
#include "report/text/text_private.h"

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
