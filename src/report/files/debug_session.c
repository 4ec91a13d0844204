/* See debug_session.h. Texts are made here, so that the debugger uses the same names as the
 * reports. They are clean: control characters of the program under test do not reach a
 * terminal. */
#include "report/files/debug_session.h"

#include <jansson.h>
#include <stdlib.h>

#include "report/text/text_private.h"
#include "trace/names.h"
#include "trace/simplest.h"
#include "trace/trace_json.h"
#include "trace/verdict.h"

static json_t *text_of(struct buffer *text)
{
    json_t *json = json_safe_text(text->data ? text->data : "");
    buffer_release(text);
    return json;
}

static json_t *clean_text(const char *raw)
{
    struct buffer text = {0};
    add_clean(&text, raw);
    return text_of(&text);
}

static json_t *place_of(const struct source_place *place)
{
    struct buffer text = {0};
    if (place && (place->file || (place->function && !place->library)))
        add_place(&text, place);
    return text_of(&text);
}

/* "where" is for people; "file" and "line" are for the choice of gdb's frame. */
static void put_place(json_t *json, const struct source_place *place)
{
    put_field(json, "where", place_of(place));
    put_field(json, "file", json_safe_text(place && place->file ? place->file : ""));
    put_number(json, "line", place && place->file ? place->line : 0);
}

static json_t *threads_of(const struct trace *trace)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < trace->nthreads; i++) {
        const struct trace_thread *thread = &trace->thread[i];
        char *label = thread_label(trace, (int)i);
        json_t *json = json_object();
        put_field(json, "label", clean_text(label));
        put_field(json, "function", clean_text(thread->function));
        struct buffer pending = {0};
        if (thread->pending.kind != OP_NONE && thread->state != THREAD_FINISHED)
            add_pending_phrase(&pending, trace, (int)i);
        put_field(json, "pending", text_of(&pending));
        json_array_append_new(threads, json);
        free(label);
    }
    return threads;
}

static json_t *event_of(const struct trace *trace, uint32_t index, uint32_t next)
{
    const struct trace_event *event = &trace->event[index];
    struct buffer what = {0}, why = {0};
    json_t *json = json_object();
    add_event_phrase(&what, trace, index);
    put_number(json, "thread", event->tid);
    put_field(json, "what", text_of(&what));
    put_place(json, stack_user_place(&event->stack));
    put_field(json, "switch", json_string(name_of(switch_reason_names, event->reason)));
    if (event->reason != SWITCH_NONE)
        add_switch_phrase(&why, trace, index, next);
    put_field(json, "why", text_of(&why));
    return json;
}

static json_t *events_of(const struct trace *trace)
{
    json_t *events = json_array();
    uint32_t *next = trace_next_events(trace);
    for (size_t i = 0; i < trace->nevents; i++)
        json_array_append_new(events, event_of(trace, (uint32_t)i, next[i]));
    free(next);
    return events;
}

static json_t *failure_of(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    json_t *json = json_object();
    put_number(json, "kind", failure->kind);
    put_field(json, "name", json_string(failure_name(failure->kind)));
    put_field(json, "message", clean_text(failure->message));
    put_number(json, "thread", trace_failing_thread(trace));
    put_place(json, trace_location(trace));
    return json;
}

/* The event after which every continuation fails, and the sentence that says so. */
static json_t *inflection_of(const struct trace *trace)
{
    if (trace->inflection == TRACE_NO_EVENT)
        return json_null();
    char *sentence = inflection_sentence(trace);
    json_t *json = json_object();
    put_number(json, "event", (int64_t)trace->inflection + 1);
    put_field(json, "text", clean_text(sentence ? sentence : ""));
    free(sentence);
    return json;
}

/* Titles by kind, in case a failure other than the trace's occurs. */
static json_t *list_titles(void)
{
    json_t *list = json_array();
    for (int kind = 0; kind < FAILURE_KINDS; kind++)
        json_array_append_new(list, json_string(failure_title(kind)));
    return list;
}

char *session_json(const struct trace *trace, const char *launcher, bool batch)
{
    json_t *json = json_object();
    put_field(json, "program", clean_text(trace->program));
    put_field(json, "launcher", json_safe_text(launcher));
    put_flag(json, "batch", batch);
    put_field(json, "threads", threads_of(trace));
    put_field(json, "events", events_of(trace));
    put_number(json, "lost", (int64_t)trace->events_lost);
    put_field(json, "failure", failure_of(trace));
    put_field(json, "inflection", inflection_of(trace));
    put_field(json, "titles", list_titles());
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}
