/* The report of a failure, for people: the verdict, what to type next, the interleaving, the
 * block of the kind of failure, and what was covered. */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/cxx_names.h"
#include "report/text/gist.h"
#include "report/text/text_private.h"
#include "trace/simplest.h"
#include "trace/verdict.h"

#define STACK_SHOWN 8
#define WAITS_TOLD  4 /* threads in the verdict of a deadlock */

/* Some messages end with advice, after "; ". This is the length without it. */
static size_t message_length(const struct trace_failure *failure)
{
    const char *advice =
        failure_has(failure->kind, FAILURE_HAS_ADVICE) ? strstr(failure->message, "; ") : NULL;
    return advice ? (size_t)(advice - failure->message) : strlen(failure->message);
}

void add_message(struct buffer *out, const struct trace_failure *failure)
{
    char *message = copy_bytes(failure->message, message_length(failure));
    add_clean(out, message);
    free(message);
}

const char *hang_advice(const struct trace_failure *failure)
{
    const char *rest = failure->message + message_length(failure);
    return *rest ? rest + strlen("; ") : "";
}

void add_painted(struct report *report, enum paint paint, const char *text)
{
    add_paint(report->out, report->style.color ? paint : PAINT_NONE, text);
}

const char *innermost_name(const char *function)
{
    const char *name = function;
    int open = 0;
    for (const char *at = function; *at && !begins_with(at, "operator"); at++) {
        open += strchr("<({", *at) != NULL;
        open -= strchr(">)}", *at) != NULL;
        if (open == 0 && begins_with(at, "::"))
            name = at + strlen("::");
    }
    return name;
}

static void add_one_place(struct buffer *out, const struct source_place *place,
                          enum place_form form)
{
    /* code that stands for several lines has none */
    bool near = form == PLACE_FORM_NEAR || form == PLACE_FORM_LINE;
    bool file = place->file && (!near || !place->line);
    if (file)
        add_clean(out, place->file);
    if (place->file && place->line)
        buffer_printf(out, ":%d", place->line);
    if (place->function && (form == PLACE_FORM_WHOLE || !place->file)) {
        buffer_text(out, place->file ? " " : "");
        add_function(out, place->function);
    } else if (place->function && form == PLACE_FORM_NEAR) {
        buffer_text(out, " ");
        add_function(out, innermost_name(place->function));
    }
}

void add_function(struct buffer *out, const char *function)
{
    struct buffer name = {0};
    add_elided_name(&name, function);
    add_clean(out, name.data ? name.data : "");
    buffer_release(&name);
}

/* The place where an inline is called; with its file only if that is a different one. */
static void add_call_place(struct buffer *out, const struct source_place *place,
                           const struct source_place *call, enum place_form form)
{
    bool same = place->file && call->file && strcmp(place->file, call->file) == 0;
    if (same && form == PLACE_FORM_WHOLE && call->function) {
        buffer_printf(out, ":%d ", call->line);
        add_function(out, call->function);
    } else {
        add_one_place(out, call, same ? PLACE_FORM_LINE : form);
    }
}

void add_place_form(struct buffer *out, const struct source_place *place, enum place_form form)
{
    if (!place) {
        buffer_text(out, "?");
        return;
    }
    add_one_place(out, place, form);
    for (; place->inlined; place++) {
        buffer_text(out, " ← ");
        add_call_place(out, place, place + 1, form);
    }
}

void add_place(struct buffer *out, const struct source_place *place)
{
    add_place_form(out, place, PLACE_FORM_WHOLE);
}

void add_place_in_words(struct buffer *out, const struct source_place *place)
{
    for (; place->inlined; place++) {
        struct source_place body = *place;
        body.function = NULL;
        add_one_place(out, &body, PLACE_FORM_WHOLE);
        buffer_text(out, " in inline ");
        add_clean(out, place->function ? place->function : "?");
        buffer_text(out, ", called at ");
    }
    add_one_place(out, place, PLACE_FORM_WHOLE);
}

void add_thread(struct buffer *out, const struct trace *trace, int tid)
{
    char *label = thread_label(trace, tid);
    add_clean(out, label);
    free(label);
}

static bool same_function(const struct source_place *a, const struct source_place *b)
{
    return a->function && b->function && strcmp(a->function, b->function) == 0 &&
           a->line == b->line;
}

/* How many frames from `at` on are shown as one line: frames of the library, whose outermost
 * function is the one that the user called, and a function that calls itself at the same line.
 */
static size_t count_folded(const struct source_stack *stack, size_t at, size_t count)
{
    const struct source_place *first = &stack->place[at];
    size_t next = at + 1;
    while (next < count && (first->library ? stack->place[next].library
                                           : same_function(first, &stack->place[next])))
        next++;
    return next - at;
}

static bool says_nothing(const struct source_place *place)
{
    return place->library && place->function &&
           (strcmp(place->function, "__cxa_throw") == 0 ||
            begins_with(place->function, "std::__atomic_base<") ||
            begins_with(place->function, "std::atomic<"));
}

void add_stack(struct report *report, const struct source_stack *stack, const char *indent)
{
    size_t count = stack->count;
    size_t limit = report->style.full ? count : STACK_SHOWN;
    /* skip the library functions that call the user's outermost function */
    while (!report->style.full && count > 1 && stack->place[count - 1].library)
        count--;
    size_t shown = 0, i = 0;
    /* and what the compiler calls for `throw`, or inlines for an atomic operation */
    while (!report->style.full && i + 1 < count && says_nothing(&stack->place[i]))
        i++;
    for (; i < count && shown < limit; shown++) {
        size_t same = report->style.full ? 1 : count_folded(stack, i, count);
        struct source_place place = stack->place[i + same - 1];
        struct buffer line = {0};
        if (place.library && !report->style.full)
            place.file = NULL; /* a line of the library would not help */
        buffer_text(&line, indent);
        add_place(&line, place.inlined ? &stack->place[i] : &place);
        if (same > 1 && !place.library)
            buffer_printf(&line, " (%zu calls)", same);
        if (report->long_word == LONG_WORD_CUT)
            fit_line(&line, report->width);
        buffer_printf(report->out, "%s\n", line.data);
        buffer_release(&line);
        i += same;
    }
    if (i < count)
        buffer_printf(report->out, "%s⋮ %zu more frames\n", indent, count - i);
}

/* "no execution with fewer preemptions fails", only if that is proven. */
static void add_minimality(struct report *report)
{
    const struct trace *trace = report->trace;
    int preemptions = trace->failure.preemptions;
    bool only_this_failure;
    if (preemptions < 0)
        return;
    buffer_printf(report->out, " · %d preemption%s", preemptions, preemptions == 1 ? "" : "s");
    if (is_fewest_preemptions(trace, &only_this_failure))
        buffer_printf(report->out, "; no execution with fewer preemptions fails%s",
                      only_this_failure ? " in this way" : "");
}

/* A line of its own below the verdict. */
static void add_remark(struct report *report, char *sentence)
{
    if (sentence)
        buffer_printf(report->out, "       %s\n", sentence);
    free(sentence);
}

/* Below the verdict: a lost wake-up, and how the failing execution compares with the others. */
static void add_remarks(struct report *report)
{
    const struct trace *trace = report->trace;
    size_t start = report->out->length;
    add_remark(report, lost_wakeup_sentence(trace));
    if (trace->recipe.model) {
        size_t switches = trace_switches(trace);
        buffer_printf(report->out, "       %zu step%s, %zu switch%s", trace->nevents,
                      trace->nevents == 1 ? "" : "s", switches, switches == 1 ? "" : "es");
    } else {
        buffer_text(report->out, "       execution ");
        buffer_count(report->out, trace->failure.execution);
    }
    add_minimality(report);
    buffer_text(report->out, "\n");
    if (report->style.verbose)
        add_remark(report, simplest_sentence(trace));
    if (trace->inflection == TRACE_NO_EVENT && !report->one_of_many)
        add_remark(report, inflection_sentence(trace));
    wrap_lines(report->out, start, report->width, 0, report->long_word);
}

/* ": main for T1, T1 and T2 for each other", ": main for T1, T2 for a signal on ready": of a
 * few threads, what each waits for; the one whose place follows comes last. */
static void add_who_waits(struct buffer *out, const struct trace *trace)
{
    int last = trace_failing_thread(trace);
    size_t stuck = 0;
    if (trace->failure.kind != FAILURE_DEADLOCK || last < 0 || !is_stuck_at_end(trace, last))
        return;
    for (size_t i = 0; i < trace->nthreads; i++)
        stuck += is_stuck_at_end(trace, (int)i);
    if (stuck > WAITS_TOLD || stuck < 2)
        return;
    int other = trace->thread[last].waits_for;
    bool pair = other >= 0 && other != last && trace->thread[other].waits_for == last;
    const char *separator = ": ";
    for (size_t i = 0; i < trace->nthreads; i++) {
        if (!is_stuck_at_end(trace, (int)i) || (int)i == last || (pair && (int)i == other))
            continue;
        buffer_text(out, separator);
        add_thread(out, trace, (int)i);
        buffer_text(out, " for ");
        add_awaited(out, trace, (int)i);
        separator = ", ";
    }
    buffer_text(out, separator);
    if (pair) {
        add_thread(out, trace, other < last ? other : last);
        buffer_text(out, " and ");
        add_thread(out, trace, other < last ? last : other);
        buffer_text(out, " for each other");
    } else {
        add_thread(out, trace, last);
        buffer_text(out, " for ");
        add_awaited(out, trace, last);
    }
}

static void add_verdict(struct report *report)
{
    const struct trace *trace = report->trace;
    const struct trace_failure *failure = &trace->failure;
    const struct source_place *place = trace_location(trace);
    const char *title = failure_title(failure->kind);
    struct buffer line = {0};
    add_clean(&line, trace->program);
    buffer_text(&line, ": ");
    /* most messages contain the title: "deadlock: 2 threads wait for ever" */
    if (strncmp(failure->message, title, strcspn(title, " ")) != 0)
        buffer_printf(&line, "%s: ", title);
    add_message(&line, failure);
    add_who_waits(&line, trace);
    if (place) {
        buffer_text(&line, ", at ");
        add_place_in_words(&line, place);
    }
    size_t start = report->out->length;
    buffer_text(report->out, "mazur: ");
    add_painted(report, PAINT_FAILURE, line.data);
    buffer_text(report->out, "\n");
    buffer_release(&line);
    if (report->style.columns)
        wrap_lines(report->out, start, report->width, strlen("mazur: "), report->long_word);
    add_remarks(report);
}

/* " mazur replay 7f3a.mzt this execution again, once": without the explanation if that does not
 * fit; a command is never broken. */
static void add_command(struct report *report, const char *words, const char *file,
                        const char *meaning)
{
    struct buffer line = {0};
    buffer_printf(&line, "  mazur %s %s", words, file);
    buffer_pad(&line, 0, strlen("  mazur show --full ") + strlen(file) + 4);
    buffer_text(&line, meaning);
    if (display_width(line.data, line.length) <= report->width)
        buffer_printf(report->out, "%s\n", line.data);
    else
        buffer_printf(report->out, "  mazur %s %s\n", words, file);
    buffer_release(&line);
}

static void add_commands(struct report *report)
{
    struct buffer word = {0};
    if (!report->trace->file_name)
        return;
    add_quoted(&word, report->trace->file_name);
    buffer_text(report->out, "\n");
    add_command(report, "replay", word.data, "run this execution again");
    if (!report->style.full)
        add_command(report, "show --full", word.data, "print every event");
    if (!report->trace->recipe.model)
        add_command(report, "debug", word.data, "step through it in gdb");
    add_command(report, "view", word.data, "open it as a page");
    buffer_release(&word);
}

void add_coverage(struct report *report)
{
    const struct coverage *coverage = &report->trace->coverage;
    struct text_list weak = {0};
    size_t start = report->out->length;
    buffer_text(report->out, "\n  Searched: ");
    if (coverage->stats.bound_done >= 0 || coverage->complete || coverage->model) {
        char *sentence = coverage_sentence(coverage);
        add_clean(report->out, sentence);
        free(sentence);
    } else {
        buffer_count(report->out, coverage->stats.executions);
        buffer_printf(report->out, " execution%s up to here · SC",
                      coverage->stats.executions == 1 ? "" : "s");
    }
    coverage_weaknesses(coverage, &weak);
    for (size_t i = 0; i < weak.count; i++) {
        buffer_text(report->out, " · ");
        add_clean(report->out, weak.item[i]);
    }
    list_release(&weak);
    buffer_text(report->out, "\n");
    wrap_lines(report->out, start, report->width, 0, report->long_word);
}

/* What the program printed in this execution: the last lines, or all of it. */
static void add_output(struct report *report)
{
    const char *output = report->trace->output;
    if (!output || !*output || !report->style.full)
        return;
    add_painted(report, PAINT_STRONG, "\n  The program printed:\n");
    while (*output) {
        size_t length = strcspn(output, "\n");
        char *line = copy_bytes(output, length);
        buffer_text(report->out, "    ");
        add_clean(report->out, line);
        buffer_text(report->out, "\n");
        free(line);
        output += length + (output[length] == '\n');
    }
}

static void add_gist(struct report *report)
{
    struct text_list sentences = {0};
    gist_sentences(report->trace, &sentences);
    if (sentences.count)
        add_painted(report, PAINT_STRONG, "\n  In short:\n");
    for (size_t i = 0; i < sentences.count; i++)
        buffer_printf(report->out, "    %s\n", sentences.item[i]);
    list_release(&sentences);
}

struct report report_open(struct buffer *out, const struct trace *trace,
                          struct text_style style)
{
    return (struct report){.out = out,
                           .trace = trace,
                           .style = style,
                           .width = style.columns ? style.columns : LAYOUT_DEFAULT,
                           .long_word = style.full ? LONG_WORD_BROKEN : LONG_WORD_CUT};
}

/* Names in what was written since byte `start`. */
static void introduce_rest(struct report *report, size_t start)
{
    struct buffer *out = report->out;
    if (start == out->length)
        return;
    char *text = introduce_objects(report, out->data + start);
    out->data[out->length = start] = 0;
    buffer_text(out, text);
    free(text);
}

void add_failure(struct report *report)
{
    add_verdict(report);
    if (report->style.quiet)
        return;
    struct text_list introduced = {0};
    report->introduced = &introduced;
    add_commands(report);
    add_timeline(report);
    size_t start = report->out->length;
    add_gist(report);
    add_failure_block(report);
    introduce_rest(report, start);
    report->introduced = NULL;
    list_release(&introduced);
    wrap_lines(report->out, start, report->width, 0, report->long_word);
    add_output(report);
}

void text_failure(struct buffer *out, const struct trace *trace, struct text_style style)
{
    struct report report = report_open(out, trace, style);
    add_failure(&report);
    if (trace->coverage.strategy && !style.quiet)
        add_coverage(&report);
}
