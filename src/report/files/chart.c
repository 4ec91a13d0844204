/* --chart, --svg: the messages of a failing execution as a message sequence chart, a vertical
 * line for each thread or process and an arrow for each message (in a program: for each value
 * that one thread reads from another).
 *
 *          left(0)             right(1)
 *             │                   │
 *       1     ● a!1               │
 *       3     │╌╌ #1 a!1 ╌╌╌╌╌╌╌╌▶│ a?k
 *
 * A message that waits in a channel has a row where it is sent and its arrow where it is
 * received; a rendezvous is one row. */
#include <stdlib.h>
#include <string.h>

#include "host/terminal.h"
#include "report/files/formats.h"
#include "report/files/markup.h"
#include "trace/result.h"

#define MARGIN       6  /* columns for numbers */
#define COLUMN_LEAST 16 /* of a thread */
#define COLUMN_MOST  28
#define CELL         5   /* bytes of a character, terminated */
#define SVG_COLUMN   210 /* pixels */
#define SVG_ROW      26
#define SVG_TOP      50

struct chart_row {
    uint32_t event;
    uint32_t source; /* where its message was sent, or TRACE_NO_EVENT */
    bool joint;      /* sent and received at once */
};

struct chart {
    const struct trace *trace;
    struct chart_row *row;
    size_t count, capacity;
    size_t column; /* width of a thread */
    bool *used;    /* by thread */
    size_t *place; /* by thread: its number among those used */
    size_t threads;
};

/* --- what is shown --- */

/* The label of an event: the statement of a model, or the object of an operation. */
static char *event_words(const struct trace_event *event)
{
    struct buffer text = {0};
    if (event->statement) {
        add_clean(&text, event->label[0] ? event->label : event->statement);
        if (event->operation.kind == OP_SEND && event->operation.second[0]) {
            buffer_text(&text, " = ");
            add_clean(&text, event->operation.second);
        }
    } else {
        buffer_printf(&text, "%s ", op_kind_name(event->operation.kind));
        add_clean(&text, event->operation.object);
    }
    return buffer_take(&text);
}

static bool comes_from_other(const struct trace *trace, const struct trace_event *event)
{
    return event->reads_from != TRACE_NO_EVENT &&
           trace->event[event->reads_from].tid != event->tid;
}

/* Is this the sending half of a rendezvous? It shares the row of the receive that follows. */
static bool is_first_half(const struct trace *trace, size_t index)
{
    const struct trace_event *event = &trace->event[index];
    return event->operation.kind == OP_SEND && event->other >= 0 &&
           index + 1 < trace->nevents && trace->event[index + 1].reads_from == index;
}

static void add_row(struct chart *c, struct chart_row row)
{
    c->row = grow_array(c->row, &c->capacity, c->count, sizeof *c->row);
    c->row[c->count++] = row;
    c->used[c->trace->event[row.event].tid] = true;
}

static void choose_rows(struct chart *c)
{
    const struct trace *trace = c->trace;
    bool *sent = allocate(trace->nevents * sizeof *sent + 1);
    for (size_t i = 0; i < trace->nevents; i++)
        if (comes_from_other(trace, &trace->event[i]))
            sent[trace->event[i].reads_from] = true;
    for (size_t i = 0; i < trace->nevents; i++) {
        const struct trace_event *event = &trace->event[i];
        int kind = event->operation.kind;
        bool other = comes_from_other(trace, event);
        bool message = event->statement && (kind == OP_SEND || kind == OP_RECEIVE);
        bool prints = event->statement && event->label[0];
        if (is_first_half(trace, i) || !(other || message || sent[i] || prints))
            continue;
        add_row(c, (struct chart_row){.event = (uint32_t)i,
                                      .source = other ? event->reads_from : TRACE_NO_EVENT,
                                      .joint = other && event->reads_from + 1 == i &&
                                               is_first_half(trace, event->reads_from)});
        if (other)
            c->used[trace->event[event->reads_from].tid] = true;
    }
    free(sent);
}

/* Wide enough for names and messages, within reason. */
static void widen_columns(struct chart *c, const char *text, size_t beside)
{
    size_t wide = display_width(text, strlen(text)) + beside;
    if (wide > c->column)
        c->column = wide < COLUMN_MOST ? wide : COLUMN_MOST;
}

static struct chart open_chart(const struct trace *trace)
{
    struct chart c = {.trace = trace, .column = COLUMN_LEAST};
    c.used = allocate(trace->nthreads * sizeof *c.used + 1);
    c.place = allocate(trace->nthreads * sizeof *c.place + 1);
    choose_rows(&c);
    for (size_t i = 0; i < trace->nthreads; i++) {
        char *name = thread_label(trace, (int)i);
        c.place[i] = c.threads;
        c.threads += c.used[i];
        if (c.used[i])
            widen_columns(&c, name, 3);
        free(name);
    }
    for (size_t i = 0; i < c.count; i++) {
        char *words = event_words(&trace->event[c.row[i].event]);
        widen_columns(&c, words, 12); /* "│╌╌ #12 … ╌▶" */
        free(words);
    }
    return c;
}

static void close_chart(struct chart *c)
{
    free(c->row);
    free(c->used);
    free(c->place);
}

/* --- as text --- */

struct chart_line {
    char (*cell)[CELL];
    size_t width;
};

static void put_cell(struct chart_line *line, size_t at, const char *character, size_t length)
{
    if (at >= line->width || length >= CELL)
        return;
    memcpy(line->cell[at], character, length);
    line->cell[at][length] = '\0';
}

/* Writes as much of the text as there is room for. */
static void put_text(struct chart_line *line, size_t at, const char *text, size_t room)
{
    size_t used = 0;
    while (*text) {
        int length = utf8_length(text);
        size_t bytes = length > 0 ? (size_t)length : 1;
        if (used + 1 >= room && text[bytes] != '\0') {
            put_cell(line, at + used, "…", strlen("…"));
            return;
        }
        put_cell(line, at + used++, text, bytes);
        text += bytes;
    }
}

static size_t lifeline_column(const struct chart *c, int tid)
{
    return MARGIN + c->place[tid] * c->column + 4;
}

static struct chart_line begin_line(const struct chart *c, size_t number)
{
    struct chart_line line = {.width = MARGIN + c->threads * c->column + COLUMN_MOST};
    line.cell = allocate(line.width * sizeof *line.cell);
    for (size_t i = 0; i < line.width; i++)
        put_cell(&line, i, " ", 1);
    for (size_t i = 0; i < c->trace->nthreads; i++)
        if (c->used[i])
            put_cell(&line, lifeline_column(c, (int)i), "│", strlen("│"));
    if (number > 0) {
        char *text = format_text("%4zu", number);
        put_text(&line, 0, text, MARGIN);
        free(text);
    }
    return line;
}

static void end_line(struct buffer *out, struct chart_line *line)
{
    while (line->width > 0 && strcmp(line->cell[line->width - 1], " ") == 0)
        line->width--;
    for (size_t i = 0; i < line->width; i++)
        buffer_text(out, line->cell[i]);
    buffer_text(out, "\n");
    free(line->cell);
}

static void draw_arrow(struct chart_line *line, size_t from, size_t to, bool joint,
                       const char *text)
{
    bool right = to > from;
    size_t low = right ? from : to, high = right ? to : from;
    const char *dash = joint ? "─" : "╌";
    for (size_t i = low + 1; i < high; i++)
        put_cell(line, i, dash, strlen(dash));
    put_cell(line, right ? high - 1 : low + 1, right ? "▶" : "◀", strlen("▶"));
    if (high - low < 8)
        return;
    size_t room = high - low - 7, wide = display_width(text, strlen(text));
    put_cell(line, low + 3, " ", 1);
    put_text(line, low + 4, text, room);
    put_cell(line, low + 4 + (wide < room ? wide : room), " ", 1);
}

static void draw_row(const struct chart *c, const struct chart_row *row, struct buffer *out)
{
    const struct trace *trace = c->trace;
    const struct trace_event *event = &trace->event[row->event];
    struct chart_line line = begin_line(c, row->event + 1);
    size_t at = lifeline_column(c, event->tid);
    char *words = event_words(event);
    if (row->source != TRACE_NO_EVENT) {
        const struct trace_event *source = &trace->event[row->source];
        char *sent = event_words(source);
        char *text =
            row->joint ? copy_text(sent) : format_text("#%u %s", row->source + 1, sent);
        draw_arrow(&line, lifeline_column(c, source->tid), at, row->joint, text);
        free(text);
        free(sent);
    } else if (!event->label[0]) {
        put_cell(&line, at, "●", strlen("●"));
    }
    bool over = row->source != TRACE_NO_EVENT &&
                c->place[trace->event[row->source].tid] > c->place[event->tid];
    if (!over) /* otherwise there is an arrow */
        put_text(&line, at + 2, words, c->column - 3);
    end_line(out, &line);
    free(words);
}

static void draw_names(const struct chart *c, struct buffer *out)
{
    struct chart_line line = begin_line(c, 0);
    for (size_t i = 0; i < line.width; i++)
        put_cell(&line, i, " ", 1);
    for (size_t i = 0; i < c->trace->nthreads; i++) {
        char *name = c->used[i] ? thread_label(c->trace, (int)i) : NULL;
        struct buffer clean = {0};
        if (name)
            add_clean(&clean, name);
        if (name)
            put_text(&line, lifeline_column(c, (int)i) - 3, clean.data, c->column - 1);
        buffer_release(&clean);
        free(name);
    }
    end_line(out, &line);
    line = begin_line(c, 0);
    end_line(out, &line);
}

static void add_chart(struct buffer *out, const struct trace *trace)
{
    struct chart c = open_chart(trace);
    if (c.count == 0)
        buffer_text(out, "no messages\n");
    else
        draw_names(&c, out);
    for (size_t i = 0; i < c.count; i++)
        draw_row(&c, &c.row[i], out);
    if (trace->failure.kind != FAILURE_NONE) {
        buffer_text(out, "      ✗ ");
        add_clean(out, trace->failure.message);
        buffer_text(out, "\n");
    }
    close_chart(&c);
}

char *chart_result(const struct result *result)
{
    struct buffer out = {0};
    for (size_t i = 0; i < result->nfailures; i++) {
        buffer_text(&out, i ? "\n" : "");
        add_chart(&out, result->failure[i]);
    }
    buffer_text(&out, "");
    return buffer_take(&out);
}

/* --- as SVG --- */

static size_t svg_x(const struct chart *c, int tid)
{
    return 60 + c->place[tid] * SVG_COLUMN;
}

static void svg_text(struct buffer *out, size_t x, size_t y, const char *anchor,
                     const char *text)
{
    buffer_printf(out, "<text x=\"%zu\" y=\"%zu\" text-anchor=\"%s\">", x, y, anchor);
    add_xml(out, text);
    buffer_text(out, "</text>\n");
}

static void svg_row(const struct chart *c, size_t index, const size_t *row_of,
                    struct buffer *out)
{
    const struct chart_row *row = &c->row[index];
    const struct trace_event *event = &c->trace->event[row->event];
    size_t x = svg_x(c, event->tid), y = SVG_TOP + (index + 1) * SVG_ROW;
    char *words = event_words(event);
    if (row->source != TRACE_NO_EVENT) {
        const struct trace_event *source = &c->trace->event[row->source];
        size_t from = svg_x(c, source->tid);
        size_t top = row->joint ? y : SVG_TOP + (row_of[row->source] + 1) * SVG_ROW;
        buffer_printf(out,
                      "<line class=\"message\" x1=\"%zu\" y1=\"%zu\" x2=\"%zu\" y2=\"%zu\" "
                      "marker-end=\"url(#head)\"/>\n",
                      from, top, x, y);
        if (row->joint) {
            char *sent = event_words(source);
            svg_text(out, (from + x) / 2, y - 4, "middle", sent);
            free(sent);
        }
    }
    buffer_printf(out, "<circle cx=\"%zu\" cy=\"%zu\" r=\"3\"/>\n", x, y);
    svg_text(out, x + 8, y + 12, "start", words);
    buffer_printf(out,
                  "<text class=\"number\" x=\"34\" y=\"%zu\" text-anchor=\"end\">%u</text>\n",
                  y + 4, row->event + 1);
    free(words);
}

static void svg_lifelines(const struct chart *c, size_t bottom, struct buffer *out)
{
    for (size_t i = 0; i < c->trace->nthreads; i++) {
        if (!c->used[i])
            continue;
        char *name = thread_label(c->trace, (int)i);
        size_t x = svg_x(c, (int)i);
        buffer_printf(out,
                      "<line class=\"life\" x1=\"%zu\" y1=\"%d\" x2=\"%zu\" y2=\"%zu\"/>\n", x,
                      SVG_TOP - 12, x, bottom);
        svg_text(out, x, SVG_TOP - 20, "middle", name);
        free(name);
    }
}

static void add_svg(struct buffer *out, const struct trace *trace, size_t *top)
{
    struct chart c = open_chart(trace);
    size_t *row_of = allocate(trace->nevents * sizeof *row_of + 1);
    size_t bottom = SVG_TOP + (c.count + 1) * SVG_ROW;
    for (size_t i = 0; i < c.count; i++)
        row_of[c.row[i].event] = i;
    buffer_printf(out, "<g transform=\"translate(0 %zu)\">\n", *top);
    svg_lifelines(&c, bottom, out);
    for (size_t i = 0; i < c.count; i++)
        svg_row(&c, i, row_of, out);
    if (trace->failure.kind != FAILURE_NONE) {
        buffer_printf(out, "<text class=\"failure\" x=\"40\" y=\"%zu\">✗ ", bottom + 20);
        add_xml(out, trace->failure.message);
        buffer_text(out, "</text>\n");
    }
    buffer_text(out, "</g>\n");
    *top += bottom + 40;
    free(row_of);
    close_chart(&c);
}

char *svg_result(const struct result *result)
{
    struct buffer out = {0}, body = {0};
    size_t height = 0, width = 1;
    for (size_t i = 0; i < result->nfailures; i++) {
        struct chart c = open_chart(result->failure[i]);
        width = c.threads > width ? c.threads : width;
        close_chart(&c);
        add_svg(&body, result->failure[i], &height);
    }
    buffer_printf(&out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\">\n"
                  "<style>svg{background:#fff;font:13px monospace}line{stroke:#333}"
                  ".life{stroke:#999;stroke-dasharray:4 3}.number{fill:#999}"
                  ".failure{fill:#b00}</style>\n"
                  "<defs><marker id=\"head\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" "
                  "refY=\"4\" orient=\"auto\"><path d=\"M0 0L9 4L0 8z\"/></marker></defs>\n",
                  60 + width * SVG_COLUMN, height + 20);
    buffer_text(&out, body.data ? body.data : "");
    buffer_text(&out, "</svg>\n");
    buffer_release(&body);
    return buffer_take(&out);
}
