/* The interleaving: one column per thread, time downwards, a row for every switch.
 *
 *     #   main               T1                 T2
 *     1   create T1                                                     a.c:12 main
 *         · main blocks: join T1
 *     3                      load x = 0                                 a.c:7 worker
 *         ▶ T1 is preempted before store x
 *
 * Since a row holds one event, its text starts in its thread's column and may extend to the
 * right. text_rows.c decides how much of the places fits beside it. If the terminal is too
 * narrow for so many columns, the thread's name precedes the text instead. text_selection.c
 * decides which events are shown; the rest is folded to a line that says how many it hides. */
#include <stdlib.h>
#include <string.h>

#include "report/text/gist.h"
#include "report/text/text_private.h"
#include "trace/simplest.h"
#include "trace/verdict.h"

#define NUMBER      6  /* columns before the first thread, where numbers are short */
#define STEP_LEAST  5  /* "main " */
#define STEP_CLOSE  14 /* columns are not closer than that to spare lines */
#define PLACE_LEAST 7  /* "  :1234" */
#define STEP_MOST   22 /* in a line of LAYOUT_DEFAULT columns */

struct timeline {
    struct report *report;
    bool *shown;    /* by event */
    uint32_t *next; /* by event: the next event of the thread that control left */
    bool *stuck;    /* by thread: a row has said where it waits for ever */
    int *column;    /* by thread: its column, -1: none */
    int columns;
    size_t margin; /* columns before the first thread */
    size_t step;   /* width of a column, 0: the thread's name is written before the text */
    struct timeline_rows rows;
};

/* The event behind which a block was freed that is used later; TRACE_NO_EVENT: not known, or an
 * access itself. */
static uint32_t event_before_free(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    return failure->has_block && failure->freed_by >= 0 && *failure->block_name
               ? failure->freed_event
               : TRACE_NO_EVENT;
}

bool is_stuck_at_end(const struct trace *trace, int tid)
{
    const struct trace_thread *thread = &trace->thread[tid];
    return failure_has(trace->failure.kind, FAILURE_WAITS) && !trace->recipe.model &&
           thread->state == THREAD_BLOCKED && thread->pending.kind != OP_NONE;
}

/* --- Columns --- */

/* The last column needs room for its text and a place. */
static void set_step(struct timeline *timeline)
{
    size_t width = timeline->report->width;
    size_t last = width > 80 ? 36 + (width - 80) * 2 / 5 : 36;
    size_t room = width > NUMBER + last ? width - NUMBER - last : 0;
    size_t most = width > LAYOUT_DEFAULT ? STEP_MOST * width / LAYOUT_DEFAULT : STEP_MOST;
    timeline->step = timeline->columns > 1 ? room / (size_t)(timeline->columns - 1) : 0;
    if (timeline->step > most)
        timeline->step = most;
    if (timeline->step < STEP_LEAST)
        timeline->step = 0;
}

/* The widest step with which the event's row fits; a row that no usual step fits gets several
 * lines, and does not count. */
static size_t step_for(const struct timeline *timeline, uint32_t index)
{
    const struct report *report = timeline->report;
    int column = timeline->column[report->trace->event[index].tid];
    struct buffer text = {0};
    add_event_phrase(&text, report->trace, index);
    char *words = introduce_objects(timeline->report, text.data ? text.data : "");
    size_t used = timeline->margin + display_width(words, strlen(words)) + PLACE_LEAST;
    buffer_release(&text);
    free(words);
    size_t step =
        column > 0 && used < report->width ? (report->width - used) / (size_t)column : 0;
    return step < STEP_CLOSE ? timeline->step : step;
}

/* Moves the columns closer together where that spares rows of several lines. */
static void narrow_step(struct timeline *timeline)
{
    struct report *report = timeline->report;
    struct text_list introduced = {0}, *kept = report->introduced;
    size_t narrow = timeline->step;
    report->introduced = kept ? &introduced : NULL;
    for (size_t i = 0; i < report->trace->nevents; i++) {
        size_t step = timeline->shown[i] ? step_for(timeline, (uint32_t)i) : narrow;
        narrow = step < narrow ? step : narrow;
    }
    report->introduced = kept;
    list_release(&introduced);
    timeline->step = narrow;
}

static void assign_columns(struct timeline *timeline)
{
    const struct trace *trace = timeline->report->trace;
    for (size_t i = 0; i < trace->nthreads; i++)
        timeline->column[i] = -1;
    for (size_t i = 0; i < trace->nevents; i++)
        if (timeline->shown[i])
            timeline->column[trace->event[i].tid] = 0;
    if (trace_failing_thread(trace) >= 0)
        timeline->column[trace_failing_thread(trace)] = 0;
    const struct trace_access *earlier = find_earlier_access(trace);
    if (earlier)
        timeline->column[earlier->tid] = 0;
    if (event_before_free(trace) != TRACE_NO_EVENT)
        timeline->column[trace->failure.freed_by] = 0;
    for (size_t i = 0; i < trace->nthreads; i++)
        if (is_stuck_at_end(trace, (int)i))
            timeline->column[i] = 0;
    for (size_t i = 0; i < trace->nthreads; i++)
        if (timeline->column[i] == 0)
            timeline->column[i] = timeline->columns++;
    timeline->margin = NUMBER;
    for (size_t numbers = trace->nevents; numbers > 9999; numbers /= 10)
        timeline->margin++;
    set_step(timeline);
    if (!trace->recipe.model)
        narrow_step(timeline);
}

static size_t column_of(const struct timeline *timeline, int tid)
{
    int column = tid >= 0 ? timeline->column[tid] : -1;
    return timeline->margin + (column > 0 ? (size_t)column * timeline->step : 0);
}

/* --- Rows --- */

/* Adds a row of thread `tid`; -1: of no thread. */
static void add_row(struct timeline *timeline, size_t number, int tid, enum paint paint,
                    const char *text, const struct source_place *place)
{
    struct buffer whole = {0};
    if (!timeline->step && number && timeline->columns > 1) {
        add_thread(&whole, timeline->report->trace, tid);
        buffer_pad(&whole, 0, STEP_LEAST);
    }
    char *words = introduce_objects(timeline->report, text);
    buffer_text(&whole, words);
    free(words);
    /* places inside a library do not help here */
    if (place && (place->library || (!place->file && !place->function)))
        place = NULL;
    rows_add(&timeline->rows, (struct timeline_row){.number = number,
                                                    .column = column_of(timeline, tid),
                                                    .paint = paint,
                                                    .text = buffer_take(&whole),
                                                    .place = place});
}

/* " Pool::work" in less than `room` columns, with as many of its scopes as fit. The first event
 * has the whole name. */
static void add_thread_function(struct buffer *line, const char *function, size_t room)
{
    struct buffer whole = {0};
    const char *operator= strstr(function, "::operator()");
    char *type = operator? copy_bytes(function, (size_t)(operator- function)) : NULL;
    add_function(&whole, type ? type /* a functor's class says more */
                         : begins_with(function, "lambda at ") && strlen(function) >= room
                             ? "lambda"
                             : function);
    free(type);
    const char *name = whole.data ? whole.data : "";
    while (*name && display_width(name, strlen(name)) >= room) {
        int open = 0;
        for (name++; *name && (open || name[-1] != ':' || name[0] == ':'); name++)
            open += (*name == '<') - (*name == '>');
        if (!*name)
            break;
    }
    if (*name)
        buffer_printf(line, " %s", name);
    buffer_release(&whole);
}

static void add_header(struct timeline *timeline)
{
    struct report *report = timeline->report;
    struct buffer line = {0};
    if (!timeline->step && timeline->columns > 1)
        return;
    for (size_t i = 0; i < report->trace->nthreads; i++) {
        if (timeline->column[i] < 0)
            continue;
        size_t column = column_of(timeline, (int)i) - timeline->margin;
        if (display_width(line.data ? line.data : "", line.length) < column)
            buffer_pad(&line, 0, column);
        else if (line.length)
            buffer_text(&line, " ");
        add_thread(&line, report->trace, (int)i);
        if (i)
            add_thread_function(&line, report->trace->thread[i].function,
                                timeline->step > 6 ? timeline->step - 6 : 0);
    }
    add_row(timeline, 0, -1, PAINT_STRONG, line.data ? line.data : "", NULL);
    buffer_release(&line);
}

static void add_switch(struct timeline *timeline, uint32_t index)
{
    struct report *report = timeline->report;
    const struct trace_event *event = &report->trace->event[index];
    bool preempted = event->reason == SWITCH_PREEMPTED;
    const struct trace_event *before = index ? &event[-1] : NULL;
    struct buffer text = {0};
    if (event->reason == SWITCH_FINISHED && before && before->tid == event->from &&
        before->operation.kind == OP_THREAD_EXIT && timeline->shown[index - 1])
        return; /* the row above says it */
    if (event->reason == SWITCH_BLOCKED && timeline->next[index] == TRACE_NO_EVENT)
        timeline->stuck[event->from] = true;
    buffer_text(&text, preempted ? "▶ " : "· ");
    add_switch_phrase(&text, report->trace, index, timeline->next[index]);
    if (preempted) {
        buffer_text(&text, "; ");
        add_thread(&text, report->trace, event->tid);
        buffer_text(&text, " runs");
    }
    add_row(timeline, 0, event->from, preempted ? PAINT_PREEMPTION : PAINT_QUIET, text.data,
            NULL);
    buffer_release(&text);
}

static bool same_place(const struct source_place *a, const struct source_place *b)
{
    return a && b && a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Is it a step of a call that has a row of its own, such as the loads in a semaphore's? */
static bool is_step_of_call(const struct trace_operation *operation)
{
    bool waits = operation->kind == OP_YIELD || operation->kind == OP_FUTEX_WAIT;
    return operation->public_object || (waits && *operation->call);
}

static void add_folded(struct timeline *timeline, size_t from, size_t to)
{
    const struct trace *trace = timeline->report->trace;
    size_t switches = 0, internal = 0, counted = 0;
    const struct source_place *place = stack_user_place(&trace->event[from].stack);
    for (size_t i = from; i < to; i++) {
        switches += trace->event[i].reason != SWITCH_NONE;
        internal += trace->event[i].operation.internal;
        counted += !is_step_of_call(&trace->event[i].operation);
        if (!same_place(place, stack_user_place(&trace->event[i].stack)))
            place = NULL;
    }
    if (counted <= 1 && internal == to - from && !switches)
        return; /* the line would be longer than what it hides */
    struct buffer text = {0};
    buffer_printf(&text, "⋮ %zu event%s", counted, counted == 1 ? "" : "s");
    if (internal == to - from)
        buffer_text(&text, " inside the C++ library");
    if (switches)
        buffer_printf(&text, ", %zu switch%s", switches, switches == 1 ? "" : "es");
    add_row(timeline, 0, -1, PAINT_QUIET, text.data, internal == to - from ? place : NULL);
    buffer_release(&text);
}

/* The inflection point: from here on every continuation fails. */
static void add_inflection(struct timeline *timeline)
{
    const struct trace *trace = timeline->report->trace;
    char *sentence = inflection_sentence(trace);
    char *text = format_text("◆ %s", sentence ? sentence : "");
    add_row(timeline, 0, trace->event[trace->inflection].tid, PAINT_PREEMPTION, text, NULL);
    free(text);
    free(sentence);
}

static void add_event(struct timeline *timeline, size_t index)
{
    const struct trace *trace = timeline->report->trace;
    const struct trace_event *event = &trace->event[index];
    struct buffer text = {0};
    add_event_phrase(&text, trace, (uint32_t)index);
    add_row(timeline, index + 1, event->tid, PAINT_NONE, text.data,
            stack_user_place(&event->stack));
    buffer_release(&text);
}

static void add_access(struct timeline *timeline, const struct trace_access *access)
{
    struct buffer text = {0};
    buffer_text(&text, "○ ");
    add_access_words(&text, access);
    add_row(timeline, 0, access->tid, PAINT_PREEMPTION, text.data,
            stack_user_place(&access->stack));
    buffer_release(&text);
}

/* The free of a block that is used later is no event, either. */
static void add_free(struct timeline *timeline)
{
    const struct trace_failure *failure = &timeline->report->trace->failure;
    char *text = format_text("○ free of %s", failure->block_name);
    add_row(timeline, 0, failure->freed_by, PAINT_PREEMPTION, text,
            stack_user_place(&failure->freed));
    free(text);
}

static void add_shown_event(struct timeline *timeline, size_t index)
{
    const struct trace *trace = timeline->report->trace;
    const struct trace_event *event = &trace->event[index];
    if (index + 1 == trace->failure.cycle)
        add_row(timeline, 0, -1, PAINT_STRONG, "↻ from here on, for ever:", NULL);
    if (event->reason != SWITCH_NONE && event->from >= 0)
        add_switch(timeline, (uint32_t)index);
    add_event(timeline, index);
    if (index == trace->inflection)
        add_inflection(timeline);
}

static void add_events(struct timeline *timeline)
{
    const struct trace *trace = timeline->report->trace;
    const struct trace_access *access = find_earlier_access(trace);
    uint32_t freed = event_before_free(trace);
    size_t folded = 0; /* first event of the fold that is open */
    if (access && access->event == TRACE_NO_EVENT)
        add_access(timeline, access);
    for (size_t i = 0; i < trace->nevents; i++) {
        bool accesses = access && i == access->event;
        if (!timeline->shown[i] && !accesses && i != freed)
            continue;
        size_t end = timeline->shown[i] ? i : i + 1;
        if (folded < end)
            add_folded(timeline, folded, end);
        folded = i + 1;
        if (timeline->shown[i])
            add_shown_event(timeline, i);
        if (accesses)
            add_access(timeline, access);
        if (i == freed)
            add_free(timeline);
    }
    if (folded < trace->nevents)
        add_folded(timeline, folded, trace->nevents);
    if (trace->events_lost) {
        char *text = format_text("⋮ %llu events were not logged",
                                 (unsigned long long)trace->events_lost);
        add_row(timeline, 0, -1, PAINT_QUIET, text, NULL);
        free(text);
    }
}

/* Where each thread is stuck, unless the row in which control left it has said that. */
static void add_final_waits(struct timeline *timeline)
{
    const struct trace *trace = timeline->report->trace;
    for (size_t i = 0; i < trace->nthreads; i++) {
        struct buffer text = {0};
        if (timeline->stuck[i] || !is_stuck_at_end(trace, (int)i))
            continue;
        buffer_text(&text, "· ");
        add_final_wait(&text, trace, (int)i);
        add_row(timeline, 0, (int)i, PAINT_QUIET, text.data,
                stack_user_place(&trace->thread[i].stack));
        buffer_release(&text);
    }
}

static void add_end(struct timeline *timeline)
{
    struct report *report = timeline->report;
    const struct trace_failure *failure = &report->trace->failure;
    struct buffer text = {0};
    buffer_text(&text, "✗ ");
    add_message(&text, failure);
    add_row(timeline, 0, trace_failing_thread(report->trace), PAINT_FAILURE, text.data,
            trace_location(report->trace));
    buffer_release(&text);
}

void add_timeline(struct report *report)
{
    const struct trace *trace = report->trace;
    struct timeline timeline = {.report = report};
    if (!trace->nevents)
        return;
    timeline.shown = select_rows(trace, report->style.full);
    timeline.next = trace_next_events(trace);
    timeline.stuck = allocate(trace->nthreads * sizeof *timeline.stuck);
    timeline.column = allocate(trace->nthreads * sizeof *timeline.column);
    assign_columns(&timeline);
    buffer_text(report->out, "\n");
    add_header(&timeline);
    add_events(&timeline);
    add_final_waits(&timeline);
    add_end(&timeline);
    rows_write(&timeline.rows, report);
    free(timeline.shown);
    free(timeline.next);
    free(timeline.stuck);
    free(timeline.column);
}

/* Every thread has a column, even if it is not in these rows: all rows have the same columns.
 */
void text_steps(struct buffer *out, const struct trace *trace, size_t from, bool header,
                struct text_style style)
{
    struct report report = report_open(out, trace, style);
    struct timeline timeline = {.report = &report, .margin = NUMBER};
    timeline.column = allocate(trace->nthreads * sizeof *timeline.column);
    for (size_t i = 0; i < trace->nthreads; i++)
        timeline.column[i] = timeline.columns++;
    set_step(&timeline);
    if (header)
        add_header(&timeline);
    for (size_t i = from; i < trace->nevents; i++)
        add_event(&timeline, i);
    rows_write(&timeline.rows, &report);
    free(timeline.column);
}
