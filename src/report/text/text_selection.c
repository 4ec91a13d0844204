/* Which events of an interleaving are shown: by default a screenful, what is near a preemption
 * or the failure, what one thread read from another, and every write to what the failure is
 * about. The rest is folded. */
#include <stdlib.h>
#include <string.h>

#include "report/text/gist.h"
#include "report/text/text_private.h"
#include "trace/verdict.h"

#define SCREENFUL   28 /* events shown of a longer execution, */
#define BESIDE      10 /* and of one whose failure has a long block of its own */
#define NEAR_SWITCH 2  /* events kept on either side of a preemption */
#define NEAR_END    10 /* events kept before the failure */
#define CYCLE_MAX   64 /* events of a livelock's cycle */
#define GAP         2  /* so few events are not folded */
#define WRITES_KEPT 12 /* of the objects that the failure is about */

struct selection {
    const struct trace *trace;
    bool full;
    bool *shown;  /* by event */
    bool *named;  /* by event: "In short" names it, or it changes what such an event read */
    size_t count; /* how many are shown */
    size_t room;  /* events to be shown */
};

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
static bool is_noise(const struct selection *selection, size_t index)
{
    const struct trace *trace = selection->trace;
    const struct trace_event *event = &trace->event[index];
    bool again = repeats_load(trace, index) ||
                 (event->operation.kind == OP_YIELD && index + 1 < trace->nevents &&
                  repeats_load(trace, index + 1));
    bool decides =
        selection->named[index] ||
        (trace->inflection != TRACE_NO_EVENT &&
         (index == trace->inflection ||
          (index == trace->event[trace->inflection].reads_from && *event->operation.call)));
    bool step = event->operation.internal &&
                !(event->operation.public_object && tells_something(&event->operation));
    return (step || again) && event->reason == SWITCH_NONE && !decides;
}

static void keep_range(struct selection *selection, size_t from, size_t to)
{
    const struct trace *trace = selection->trace;
    for (size_t i = from; i < to && i < trace->nevents; i++) {
        selection->count += !selection->shown[i] && !is_noise(selection, i);
        selection->shown[i] = true;
    }
}

/* The first of the last `most` events that are worth a row. */
static size_t find_last_rows(const struct selection *selection, size_t most)
{
    size_t first = selection->trace->nevents;
    for (size_t rows = 0; first > 0 && rows < most; first--)
        rows += !is_noise(selection, first - 1);
    return first;
}

/* Keeps reads of another thread's writes, and those writes: they show how the threads influence
 * each other. Later ones say more, so they are kept first while there is room. */
static void keep_communication(struct selection *selection)
{
    const struct trace *trace = selection->trace;
    for (size_t i = trace->nevents; i-- > 0 && selection->count + 2 <= selection->room;) {
        uint32_t source = trace->event[i].reads_from;
        if (source == TRACE_NO_EVENT || trace->event[source].tid == trace->event[i].tid)
            continue;
        keep_range(selection, source, source + 1);
        keep_range(selection, i, i + 1);
    }
}

/* A line that says "2 events" takes as much room as the events. */
static void close_gaps(struct selection *selection)
{
    size_t count = selection->trace->nevents, hidden = 0;
    for (size_t i = 0; i <= count; i++) {
        if (i < count && !selection->shown[i]) {
            hidden++;
            continue;
        }
        if (hidden <= GAP)
            keep_range(selection, i - hidden, i);
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

static void hide_noise(struct selection *selection)
{
    const struct trace *trace = selection->trace;
    for (size_t i = 0; i < trace->nevents; i++)
        selection->shown[i] = selection->shown[i] && !is_noise(selection, i);
}

/* A plain access is not an event. The earlier of two racing accesses gets a row of its own,
 * after the last event of its thread before it; the later one is where the execution ends.
 * NULL: there is none, or it is an event. */
const struct trace_access *find_earlier_access(const struct trace *trace)
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
static void find_named(struct selection *selection)
{
    const struct trace *trace = selection->trace;
    struct text_list sentences = {0};
    gist_sentences(trace, &sentences);
    for (size_t i = 0; i < sentences.count; i++)
        for (const char *at = sentences.item[i]; (at = strchr(at, '#')); at++) {
            uint32_t event = find_reference(trace, sentences.item[i], at);
            if (event == TRACE_NO_EVENT)
                continue;
            uint32_t change = find_change_of(trace, event);
            selection->named[event] = true;
            if (change != TRACE_NO_EVENT)
                selection->named[change] = true;
        }
    list_release(&sentences);
}

static void keep_named(struct selection *selection)
{
    for (size_t i = 0; i < selection->trace->nevents; i++)
        if (selection->named[i])
            keep_range(selection, i, i + 1);
}

/* Is the failure about the object? It is in the message, "In short" names an operation on it,
 * or it is what the failing thread used last. */
static bool is_deciding(const struct selection *selection, const char *object)
{
    const struct trace *trace = selection->trace;
    int tid = trace->failure.tid;
    bool last = true;
    if (strcmp(object, trace->failure.naccesses ? trace->failure.access[0].object : "") == 0)
        return true;
    for (size_t i = trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        bool decides = selection->named[i] || (last && event->tid == tid);
        last &= event->tid != tid;
        if (decides && strcmp(event->operation.object, object) == 0)
            return true;
    }
    return false;
}

/* Keeps the last writes to what the failure is about: a value that is not seen to come about
 * explains nothing. Locks change too often for that. */
static void keep_deciding_writes(struct selection *selection)
{
    const struct trace *trace = selection->trace;
    int left = WRITES_KEPT;
    for (size_t i = trace->nevents; i-- > 0 && left > 0;) {
        const struct trace_event *event = &trace->event[i];
        if (selection->shown[i] || !*event->operation.object || !event->has_values ||
            !(event->operation.flags & OP_WRITES) || event->operation.internal ||
            !is_deciding(selection, event->operation.object))
            continue;
        keep_range(selection, i, i + 1);
        left--;
    }
}

static void select_events(struct selection *selection)
{
    const struct trace *trace = selection->trace;
    size_t count = trace->nevents;
    find_named(selection);
    bool long_block = failure_has(trace->failure.kind, FAILURE_HAS_HISTORY);
    selection->room = long_block ? BESIDE : SCREENFUL;
    if (selection->full ||
        find_last_rows(selection, selection->room + 1) == 0) { /* all have room */
        keep_range(selection, 0, count);
        return;
    }
    size_t cycle =
        failure_has(trace->failure.kind, FAILURE_REPEATS) ? find_final_cycle(trace) : 0;
    if (trace->failure.cycle && count + 1 - trace->failure.cycle <= CYCLE_MAX)
        cycle = count + 1 - trace->failure.cycle;
    size_t near_end = long_block ? NEAR_SWITCH : NEAR_END;
    keep_range(selection, cycle ? count - cycle : find_last_rows(selection, near_end), count);
    keep_named(selection);
    if (cycle)
        return;
    for (size_t i = count; i-- > 0 && selection->count < selection->room;)
        if (trace->event[i].reason == SWITCH_PREEMPTED)
            keep_range(selection, i > NEAR_SWITCH ? i - NEAR_SWITCH : 0, i + NEAR_SWITCH);
    if (trace->inflection != TRACE_NO_EVENT)
        keep_range(selection, trace->inflection, trace->inflection + 1);
    const struct trace_access *earlier = find_earlier_access(trace);
    if (earlier && earlier->event != TRACE_NO_EVENT)
        keep_range(selection, earlier->event, earlier->event + 1);
    if (!long_block)
        keep_deciding_writes(selection);
    keep_communication(selection);
    close_gaps(selection);
}

bool *select_rows(const struct trace *trace, bool full)
{
    struct selection selection = {.trace = trace, .full = full};
    selection.shown = allocate(trace->nevents * sizeof *selection.shown);
    selection.named = allocate(trace->nevents * sizeof *selection.named);
    select_events(&selection);
    if (!full)
        hide_noise(&selection);
    free(selection.named);
    return selection.shown;
}
