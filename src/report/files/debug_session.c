/* See debug_session.h. Texts are made here, so that the debugger calls things as the reports
 * do; they are clean: control characters of the program under test do not reach a terminal. */
#include "report/files/debug_session.h"

#include <jansson.h>
#include <stdlib.h>

#include "report/text/text_private.h"
#include "trace/names.h"
#include "trace/simplest.h"
#include "trace/trace_json.h"
#include "trace/trace_settings.h"
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

static json_t *threads_of(const struct trace *trace)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < trace->nthreads; i++) {
        const struct trace_thread *thread = &trace->thread[i];
        char *label = thread_label(trace, (int)i);
        json_t *json = json_object();
        json_object_set_new(json, "label", clean_text(label));
        json_object_set_new(json, "function", clean_text(thread->function));
        struct buffer pending = {0};
        if (thread->pending.kind != OP_NONE && thread->state != THREAD_FINISHED)
            add_pending_phrase(&pending, trace, (int)i);
        json_object_set_new(json, "pending", text_of(&pending));
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
    json_object_set_new(json, "thread", json_integer(event->tid));
    json_object_set_new(json, "what", text_of(&what));
    json_object_set_new(json, "where", place_of(stack_user_place(&event->stack)));
    json_object_set_new(json, "switch",
                        json_string(name_of(switch_reason_names, event->reason)));
    if (event->reason != SWITCH_NONE)
        add_switch_phrase(&why, trace, index, next);
    json_object_set_new(json, "why", text_of(&why));
    return json;
}

/* `later[t]`: the next event of thread t, seen from the event being written. */
static json_t *events_of(const struct trace *trace)
{
    json_t *events = json_array();
    uint32_t *later = allocate((trace->nthreads + 1) * sizeof *later);
    uint32_t *next = allocate((trace->nevents + 1) * sizeof *next);
    for (size_t i = 0; i < trace->nthreads; i++)
        later[i] = TRACE_NO_EVENT;
    for (size_t i = trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        next[i] = event->from >= 0 ? later[event->from] : TRACE_NO_EVENT;
        later[event->tid] = (uint32_t)i;
    }
    for (size_t i = 0; i < trace->nevents; i++)
        json_array_append_new(events, event_of(trace, (uint32_t)i, next[i]));
    free(later);
    free(next);
    return events;
}

static json_t *failure_of(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    json_t *json = json_object();
    json_object_set_new(json, "kind", json_integer(failure->kind));
    json_object_set_new(json, "name", json_string(failure_name(failure->kind)));
    json_object_set_new(json, "message", clean_text(failure->message));
    json_object_set_new(json, "thread", json_integer(trace_failing_thread(trace)));
    json_object_set_new(json, "where", place_of(trace_location(trace)));
    return json;
}

/* The event after which every continuation fails, and the sentence that says so. */
static json_t *inflection_of(const struct trace *trace)
{
    if (trace->inflection == TRACE_NO_EVENT)
        return json_null();
    char *sentence = inflection_sentence(trace);
    json_t *json = json_object();
    json_object_set_new(json, "event", json_integer((json_int_t)trace->inflection + 1));
    json_object_set_new(json, "text", clean_text(sentence ? sentence : ""));
    free(sentence);
    return json;
}

/* Titles by kind, for a failure that is another one than the trace's. */
static json_t *titles(void)
{
    json_t *list = json_array();
    for (int kind = 0; kind < FAILURE_KINDS; kind++)
        json_array_append_new(list, json_string(failure_title(kind)));
    return list;
}

char *session_json(const struct trace *trace, const char *launcher, bool batch)
{
    json_t *json = json_object();
    const struct trace_setting *visible = trace_setting_find(trace, "visible");
    json_object_set_new(json, "program", clean_text(trace->program));
    json_object_set_new(json, "launcher", json_safe_text(launcher));
    json_object_set_new(json, "batch", json_boolean(batch));
    json_object_set_new(json, "traps", json_boolean(visible && *visible->text));
    json_object_set_new(json, "threads", threads_of(trace));
    json_object_set_new(json, "events", events_of(trace));
    json_object_set_new(json, "lost", json_integer((json_int_t)trace->events_lost));
    json_object_set_new(json, "failure", failure_of(trace));
    json_object_set_new(json, "inflection", inflection_of(trace));
    json_object_set_new(json, "titles", titles());
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}
