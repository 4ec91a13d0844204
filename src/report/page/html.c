/* See html.h. The words of events, switches and waits are those of the text report (phrase.c);
 * structure and numbers are those of the JSON output (trace_json.c). */
#include "report/page/html.h"

#include <stdlib.h>
#include <string.h>

#include "host/terminal.h"
#include "report/files/formats.h"
#include "report/text/gist.h"
#include "report/text/text_private.h"
#include "trace/simplest.h"
#include "trace/trace_json.h"
#include "trace/verdict.h"

extern const unsigned char page_head[], page_tail[];
extern const size_t page_head_size, page_tail_size;

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

/* The phrase in `words`, which is emptied. */
static void set_phrase(json_t *object, const char *key, struct buffer *words)
{
    set(object, key, json_safe_text(words->data ? words->data : ""));
    buffer_release(words);
}

static json_t *threads_data(const struct trace *trace, struct place_table *places)
{
    json_t *list = json_array();
    for (size_t i = 0; i < trace->nthreads; i++) {
        json_t *thread = json_thread(&trace->thread[i], places);
        char *label = thread_label(trace, (int)i);
        set(thread, "label", json_safe_text(label));
        free(label);
        if (trace->thread[i].pending.kind != OP_NONE) {
            struct buffer words = {0};
            add_pending_phrase(&words, trace, (int)i);
            set_phrase(thread, "waits", &words);
        }
        json_array_append_new(list, thread);
    }
    return list;
}

/* next[i]: what the thread that event i took over from does next. */
static uint32_t *next_events(const struct trace *trace)
{
    uint32_t *next = allocate((trace->nevents + 1) * sizeof *next);
    uint32_t *later = allocate((trace->nthreads + 1) * sizeof *later);
    for (size_t i = 0; i < trace->nthreads; i++)
        later[i] = TRACE_NO_EVENT;
    for (size_t i = trace->nevents; i-- > 0;) {
        const struct trace_event *event = &trace->event[i];
        next[i] = event->from >= 0 ? later[event->from] : TRACE_NO_EVENT;
        later[event->tid] = (uint32_t)i;
    }
    free(later);
    return next;
}

static json_t *events_data(const struct trace *trace, struct place_table *places)
{
    json_t *list = json_array();
    uint32_t *next = next_events(trace);
    for (size_t i = 0; i < trace->nevents; i++) {
        json_t *event = json_event(&trace->event[i], places);
        struct buffer words = {0};
        add_event_phrase(&words, trace, (uint32_t)i);
        set_phrase(event, "words", &words);
        if (trace->event[i].reason != SWITCH_NONE && trace->event[i].from >= 0) {
            add_switch_phrase(&words, trace, (uint32_t)i, next[i]);
            set_phrase(event, "why", &words);
        }
        json_array_append_new(list, event);
    }
    free(next);
    return list;
}

static json_t *coverage_data(const struct coverage *coverage)
{
    json_t *object = json_coverage(coverage);
    struct text_list weak = {0};
    char *sentence = coverage_sentence(coverage);
    json_t *weaknesses = json_array();
    coverage_weaknesses(coverage, &weak);
    for (size_t i = 0; i < weak.count; i++)
        json_array_append_new(weaknesses, json_safe_text(weak.item[i]));
    set(object, "sentence", json_safe_text(sentence));
    set(object, "weaknesses", weaknesses);
    list_release(&weak);
    free(sentence);
    return object;
}

static json_t *sentence_data(char *sentence)
{
    json_t *text = sentence ? json_safe_text(sentence) : json_null();
    free(sentence);
    return text;
}

static json_t *trace_data(const struct trace *trace, json_t *sources)
{
    struct place_table *places = place_table_new();
    json_t *object = json_object();
    json_t *failure = json_failure(&trace->failure, places);
    set(failure, "title", json_string(failure_title(trace->failure.kind)));
    set(failure, "location", json_location(trace_location(trace)));
    bool only_this_failure;
    bool minimal = is_fewest_preemptions(trace, &only_this_failure);
    set(failure, "minimal", json_boolean(minimal));
    set(failure, "minimal_of_its_kind", json_boolean(minimal && only_this_failure));
    set(failure, "simplest", sentence_data(simplest_sentence(trace)));
    set(failure, "inflection", sentence_data(inflection_sentence(trace)));
    struct text_list gist = {0};
    json_t *short_form = json_array();
    gist_sentences(trace, &gist);
    for (size_t i = 0; i < gist.count; i++)
        json_array_append_new(short_form, json_safe_text(gist.item[i]));
    list_release(&gist);
    set(failure, "gist", short_form);
    if (trace->inflection != TRACE_NO_EVENT)
        set(failure, "inflection_event", json_integer((json_int_t)trace->inflection));
    set(failure, "at", json_integer(trace_failing_thread(trace)));
    set(object, "failure", failure);
    set(object, "file", trace->file_name ? json_safe_text(trace->file_name) : json_null());
    set(object, "threads", threads_data(trace, places));
    set(object, "events", events_data(trace, places));
    set(object, "events_lost", json_integer((json_int_t)trace->events_lost));
    set(object, "output", json_safe_text(trace->output ? trace->output : ""));
    json_t *list = place_table_json(places);
    html_sources(sources, list, trace);
    set(object, "places", list);
    place_table_free(places);
    return object;
}

/* Inside a script element HTML looks for "</script" and "<!--" only, and JSON needs neither
 * character outside of strings, where \u003c means the same. */
static void add_escaped(struct buffer *out, const char *json)
{
    for (;;) {
        size_t plain = strcspn(json, "<>&");
        buffer_add(out, json, plain);
        json += plain;
        if (!*json)
            return;
        buffer_printf(out, "\\u%04x", (unsigned)*json++);
    }
}

char *html_result(const struct result *result)
{
    struct buffer out = {0};
    json_t *root = json_object(), *list = json_array(), *sources = json_object();
    for (size_t i = 0; i < result->nfailures; i++)
        json_array_append_new(list, trace_data(result->failure[i], sources));
    set(root, "version", json_string(MAZUR_VERSION));
    set(root, "program", json_safe_text(result->program));
    set(root, "coverage", result->coverage.strategy ? coverage_data(&result->coverage) : json_null());
    set(root, "traces", list);
    set(root, "sources", sources);
    char *json = json_for_terminal(json_dumps(root, JSON_COMPACT));
    buffer_add(&out, page_head, page_head_size);
    add_escaped(&out, json);
    buffer_add(&out, page_tail, page_tail_size);
    free(json);
    json_decref(root);
    return buffer_take(&out);
}
