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
 * narrow for so many columns, the thread's name precedes the text instead. By default the
 * report shows a screenful: what is near a preemption or the failure, and what one thread read
 * from another. The rest is folded to a line that says how many events it hides. */
#include <stdlib.h>
#include <string.h>

#include "report/text/gist.h"
#include "report/text/text_private.h"
#include "trace/simplest.h"
#include "trace/verdict.h"

#define NUMBER      6  /* columns before the first thread, where numbers are short */
#define SCREENFUL   28 /* events shown of a longer execution, */
#define BESIDE      10 /* and of one whose failure has a long block of its own */
#define NEAR_SWITCH 2  /* events kept on either side of a preemption */
#define NEAR_END    10 /* events kept before the failure */
#define CYCLE_MAX   64 /* events of a livelock's cycle */
#define GAP         2  /* so few events are not folded */
#define STEP_LEAST  5  /* "main " */
#define STEP_MOST   22 /* in a line of LAYOUT_DEFAULT columns */

struct timeline {
    struct report *report;
    bool *shown;    /* by event */
    bool *named;    /* by event: "In short" names it, or it changes what such an event read */
    size_t count;   /* how many are shown */
    uint32_t *next; /* by event: the next event of the thread that control left */
    int *column;    /* by thread: its column, -1: none */
    int columns;
    size_t room;   /* events to be shown */
    size_t margin; /* columns before the first thread */
    size_t step;   /* width of a column, 0: the thread's name is written before the text */
    struct timeline_rows rows;
};

/* --- What is shown --- */

static bool same_event(const struct trace_event *a, const struct trace_event *b)
{
    const struct source_place *at = stack_user_place(&a->stack);
    const struct source_place *there = stack_user_place(&b->stack);
    return a->tid == b->tid && a->operation.kind == b->operation.kind &&
           (at ? at->line : 0) == (there ? there->line : 0) &&
           strcmp(a->operation.object, b->operation.object) == 0;
}

/* Does the load find what the thread's load before it has found, with nothing but a yield in
 * between? */
static bool repeats_load(const struct trace *trace, size_t index)
{
    const struct trace_event *event = &trace->event[index];
    size_t last = index;
    if (index == 0 || event->operation.kind != OP_LOAD)
        return false;
    do
        last--;
    while (last > 0 && trace->event[last].operation.kind == OP_YIELD &&
           trace->event[last].tid == event->tid);
    return same_event(event, &trace->event[last]) && event->before == trace->event[last].before;
}

/* Is the event not worth a row? The C++ library's internal counts are not, nor is a load that
 * repeats the one before, or a yield before it. Exceptions: the event after a switch, which the
 * row of the switch needs, what "In short" names, the inflection point, and the event that it
 * reads from, where the library's call explains something. */
static bool is_noise(const struct timeline *timeline, size_t index)
{
    const struct trace *trace = timeline->report->trace;
    const struct trace_event *event = &trace->event[index];
    bool again = repeats_load(trace, index) ||
                 (event->operation.kind == OP_YIELD && index + 1 < trace->nevents &&
                  repeats_load(trace, index + 1));
    bool decides =
        timeline->named[index] ||
        (trace->inflection != TRACE_NO_EVENT &&
         (index == trace->inflection ||
          (index == trace->event[trace->inflection].reads_from && *event->operation.call)));
    return (event->operation.internal || again) && event->reason == SWITCH_NONE && !decides;
}

static void keep_range(struct timeline *timeline, size_t from, size_t to)
{
    const struct trace *trace = timeline->report->trace;
    for (size_t i = from; i < to && i < trace->nevents; i++) {
        timeline->count += !timeline->shown[i] && !is_noise(timeline, i);
        timeline->shown[i] = true;
    }
}

/* The first of the last `most` events that are worth a row. */
static size_t find_last_rows(const struct timeline *timeline, size_t most)
{
    size_t first = timeline->report->trace->nevents;
    for (size_t rows = 0; first > 0 && rows < most; first--)
        rows += !is_noise(timeline, first - 1);
    return first;
}

/* Keeps reads of another thread's writes, and those writes: they show how the threads influence
 * each other. Later ones say more, so they are kept first while there is room. */
static void keep_communication(struct timeline *timeline)
{
    const struct trace *trace = timeline->report->trace;
    for (size_t i = trace->nevents; i-- > 0 && timeline->count + 2 <= timeline->room;) {
        uint32_t source = trace->event[i].reads_from;
        if (source == TRACE_NO_EVENT || trace->event[source].tid == trace->event[i].tid)
            continue;
        keep_range(timeline, source, source + 1);
        keep_range(timeline, i, i + 1);
    }
}

/* A line that says "2 events" takes as much room as the events. */
static void close_gaps(struct timeline *timeline)
{
    size_t count = timeline->report->trace->nevents, hidden = 0;
    for (size_t i = 0; i <= count; i++) {
        if (i < count && !timeline->shown[i]) {
            hidden++;
            continue;
        }
        if (hidden <= GAP)
            keep_range(timeline, i - hidden, i);
        hidden = 0;
    }
}

size_t find_final_cycle(const struct trace *trace)
{
    for (size_t length = 1; length <= CYCLE_MAX && 2 * length <= trace->nevents; length++) {
        size_t i = 0;
        while (i < length && same_event(&trace->event[trace->nevents - 1 - i],
                                        &trace->event[trace->nevents - 1 - i - length]))
            i++;
        if (i == length)
            return length;
    }
    return 0;
}

static void hide_noise(struct timeline *timeline)
{
    const struct trace *trace = timeline->report->trace;
    for (size_t i = 0; i < trace->nevents; i++)
        timeline->shown[i] = timeline->shown[i] && !is_noise(timeline, i);
}

/* A plain access is not an event. The earlier of two racing accesses gets a row of its own,
 * after the last event of its thread before it; the later one is where the execution ends.
 * NULL: there is none, or it is an event. */
static const struct trace_access *find_earlier_access(const struct trace *trace)
{
    const struct trace_access *earlier = &trace->failure.access[0];
    return trace->failure.naccesses == 2 && !earlier->atomic && earlier->tid >= 0 ? earlier
                                                                                  : NULL;
}

/* The first event of another thread that changes what event `read` has read, where that is
 * hidden in calls of the library: "T2's stop_requested()" needs its request_stop().
 * TRACE_NO_EVENT: there is none. */
static uint32_t find_change_of(const struct trace *trace, uint32_t read)
{
    const struct trace_event *event = &trace->event[read];
    bool hidden = event->operation.internal && (event->operation.flags & OP_READS);
    for (uint32_t i = read + 1; hidden && i < trace->nevents; i++)
        if (trace->event[i].tid != event->tid &&
            (trace->event[i].operation.flags & OP_WRITES) &&
            operations_conflict(&trace->event[i].operation, &event->operation))
            return i;
    return TRACE_NO_EVENT;
}

/* The event that "#" refers to in a sentence, in "(a.c:7, #12)" or "(#12)"; TRACE_NO_EVENT: it
 * belongs to a name, as in "node.next (new at main():34 #2)". */
static uint32_t find_reference(const struct trace *trace, const char *sentence, const char *at)
{
    char *end;
    unsigned long number = strtoul(at + 1, &end, 10);
    bool open = at > sentence && at[-1] == '(';
    bool next = at > sentence + 1 && at[-1] == ' ' && at[-2] == ',';
    return (open || next) && *end == ')' && number > 0 && number <= trace->nevents
               ? (uint32_t)number - 1
               : TRACE_NO_EVENT;
}

/* Notes what "In short" names. */
static void find_named(struct timeline *timeline)
{
    const struct trace *trace = timeline->report->trace;
    struct text_list sentences = {0};
    gist_sentences(trace, &sentences);
    for (size_t i = 0; i < sentences.count; i++)
        for (const char *at = sentences.item[i]; (at = strchr(at, '#')); at++) {
            uint32_t event = find_reference(trace, sentences.item[i], at);
            if (event == TRACE_NO_EVENT)
                continue;
            uint32_t change = find_change_of(trace, event);
            timeline->named[event] = true;
            if (change != TRACE_NO_EVENT)
                timeline->named[change] = true;
        }
    list_release(&sentences);
}

static void keep_named(struct timeline *timeline)
{
    for (size_t i = 0; i < timeline->report->trace->nevents; i++)
        if (timeline->named[i])
            keep_range(timeline, i, i + 1);
}

static void select_events(struct timeline *timeline)
{
    const struct trace *trace = timeline->report->trace;
    size_t count = trace->nevents;
    find_named(timeline);
    bool long_block = failure_has(trace->failure.kind, FAILURE_HAS_HISTORY);
    timeline->room = long_block ? BESIDE : SCREENFUL;
    if (timeline->report->style.full ||
        find_last_rows(timeline, timeline->room + 1) == 0) { /* all have room */
        keep_range(timeline, 0, count);
        return;
    }
    size_t cycle =
        failure_has(trace->failure.kind, FAILURE_REPEATS) ? find_final_cycle(trace) : 0;
    if (trace->failure.cycle && count + 1 - trace->failure.cycle <= CYCLE_MAX)
        cycle = count + 1 - trace->failure.cycle;
    size_t near_end = long_block ? NEAR_SWITCH : NEAR_END;
    keep_range(timeline, cycle ? count - cycle : find_last_rows(timeline, near_end), count);
    keep_named(timeline);
    if (cycle)
        return;
    for (size_t i = count; i-- > 0 && timeline->count < timeline->room;)
        if (trace->event[i].reason == SWITCH_PREEMPTED)
            keep_range(timeline, i > NEAR_SWITCH ? i - NEAR_SWITCH : 0, i + NEAR_SWITCH);
    if (trace->inflection != TRACE_NO_EVENT)
        keep_range(timeline, trace->inflection, trace->inflection + 1);
    const struct trace_access *earlier = find_earlier_access(trace);
    if (earlier && earlier->event != TRACE_NO_EVENT)
        keep_range(timeline, earlier->event, earlier->event + 1);
    keep_communication(timeline);
    close_gaps(timeline);
}

bool *timeline_selection(const struct trace *trace)
{
    struct report report = {.trace = trace};
    struct timeline timeline = {.report = &report};
    timeline.shown = allocate(trace->nevents * sizeof *timeline.shown);
    timeline.named = allocate(trace->nevents * sizeof *timeline.named);
    select_events(&timeline);
    hide_noise(&timeline);
    free(timeline.named);
    return timeline.shown;
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
    for (size_t i = 0; i < trace->nthreads; i++)
        if (timeline->column[i] == 0)
            timeline->column[i] = timeline->columns++;
    timeline->margin = NUMBER;
    for (size_t numbers = trace->nevents; numbers > 9999; numbers /= 10)
        timeline->margin++;
    set_step(timeline);
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
    buffer_text(&whole, text);
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
    add_function(&whole, begins_with(function, "lambda at ") && strlen(function) >= room
                             ? "lambda"
                             : function);
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
    struct buffer text = {0};
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

static void add_folded(struct timeline *timeline, size_t from, size_t to)
{
    const struct trace *trace = timeline->report->trace;
    size_t switches = 0, internal = 0;
    for (size_t i = from; i < to; i++) {
        switches += trace->event[i].reason != SWITCH_NONE;
        internal += trace->event[i].operation.internal;
    }
    struct buffer text = {0};
    buffer_printf(&text, "⋮ %zu event%s", to - from, to - from == 1 ? "" : "s");
    if (internal == to - from)
        buffer_text(&text, " inside the C++ library");
    if (switches)
        buffer_printf(&text, ", %zu switch%s", switches, switches == 1 ? "" : "es");
    add_row(timeline, 0, -1, PAINT_QUIET, text.data, NULL);
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
    buffer_text(&text, access->is_free ? "○ free of "
                       : access->write ? "○ write of "
                                       : "○ read of ");
    add_clean(&text, access->object);
    add_row(timeline, 0, access->tid, PAINT_PREEMPTION, text.data,
            stack_user_place(&access->stack));
    buffer_release(&text);
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
    size_t folded = 0; /* first event of the fold that is open */
    if (access && access->event == TRACE_NO_EVENT)
        add_access(timeline, access);
    for (size_t i = 0; i < trace->nevents; i++) {
        bool accesses = access && i == access->event;
        if (!timeline->shown[i] && !accesses)
            continue;
        size_t end = timeline->shown[i] ? i : i + 1;
        if (folded < end)
            add_folded(timeline, folded, end);
        folded = i + 1;
        if (timeline->shown[i])
            add_shown_event(timeline, i);
        if (accesses)
            add_access(timeline, access);
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
    timeline.shown = allocate(trace->nevents * sizeof *timeline.shown);
    timeline.named = allocate(trace->nevents * sizeof *timeline.named);
    timeline.next = trace_next_events(trace);
    timeline.column = allocate(trace->nthreads * sizeof *timeline.column);
    select_events(&timeline);
    if (!report->style.full)
        hide_noise(&timeline);
    assign_columns(&timeline);
    buffer_text(report->out, "\n");
    add_header(&timeline);
    add_events(&timeline);
    add_end(&timeline);
    rows_write(&timeline.rows, report);
    free(timeline.shown);
    free(timeline.named);
    free(timeline.next);
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
