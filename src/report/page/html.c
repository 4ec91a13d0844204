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

/* The phrase in `words`, which is emptied. */
static void set_phrase(json_t *object, const char *key, struct buffer *words)
{
    put_field(object, key, json_safe_text(words->data ? words->data : ""));
    buffer_release(words);
}

static json_t *threads_data(const struct trace *trace, struct place_table *places)
{
    json_t *list = json_array();
    for (size_t i = 0; i < trace->nthreads; i++) {
        json_t *thread = json_thread(&trace->thread[i], places);
        char *label = thread_label(trace, (int)i);
        put_field(thread, "label", json_safe_text(label));
        free(label);
        if (trace->thread[i].pending.kind != OP_NONE) {
            struct buffer words = {0};
            add_pending_phrase(&words, trace, (int)i);
            set_phrase(thread, "waits", &words);
        }
        uint32_t lost = trace->thread[i].state == THREAD_BLOCKED
                            ? find_lost_wakeup(trace, (int)i)
                            : TRACE_NO_EVENT;
        if (lost != TRACE_NO_EVENT)
            put_number(thread, "lost_wakeup", (int64_t)lost);
        json_array_append_new(list, thread);
    }
    return list;
}

static json_t *events_data(const struct trace *trace, struct place_table *places)
{
    json_t *list = json_array();
    uint32_t *next = trace_next_events(trace);
    bool *shown = select_rows(trace, false);
    for (size_t i = 0; i < trace->nevents; i++) {
        json_t *event = json_event(&trace->event[i], places);
        struct buffer words = {0};
        add_event_phrase(&words, trace, (uint32_t)i);
        set_phrase(event, "words", &words);
        if (trace->event[i].reason != SWITCH_NONE && trace->event[i].from >= 0) {
            add_switch_phrase(&words, trace, (uint32_t)i, next[i]);
            set_phrase(event, "why", &words);
        }
        if (!shown[i])
            put_flag(event, "folded", true);
        json_array_append_new(list, event);
    }
    free(next);
    free(shown);
    return list;
}

static json_t *coverage_data(const struct coverage *coverage)
{
    json_t *object = json_coverage(coverage);
    struct text_list weak = {0};
    char *sentence = coverage_sentence(coverage);
    coverage_weaknesses(coverage, &weak);
    put_field(object, "sentence", json_safe_text(sentence));
    put_field(object, "weaknesses", json_text_list(&weak));
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
    put_field(failure, "title", json_string(failure_title(trace->failure.kind)));
    put_field(failure, "shows", json_string(failure_block(trace->failure.kind)));
    put_flag(failure, "repeats", failure_has(trace->failure.kind, FAILURE_REPEATS));
    put_field(failure, "location", json_location(trace_location(trace)));
    bool only_this_failure;
    bool minimal = is_fewest_preemptions(trace, &only_this_failure);
    put_flag(failure, "minimal", minimal);
    put_number(failure, "switches", (int64_t)trace_switches(trace));
    put_flag(failure, "minimal_of_its_kind", minimal && only_this_failure);
    put_field(failure, "simplest", sentence_data(simplest_sentence(trace)));
    put_field(failure, "inflection", sentence_data(inflection_sentence(trace)));
    struct text_list gist = {0};
    gist_sentences(trace, &gist);
    put_field(failure, "gist", json_text_list(&gist));
    list_release(&gist);
    if (trace->inflection != TRACE_NO_EVENT)
        put_number(failure, "inflection_event", (int64_t)trace->inflection);
    put_number(failure, "at", trace_failing_thread(trace));
    put_field(object, "failure", failure);
    put_field(object, "file",
              trace->file_name ? json_safe_text(trace->file_name) : json_null());
    put_field(object, "threads", threads_data(trace, places));
    put_field(object, "events", events_data(trace, places));
    put_number(object, "events_lost", (int64_t)trace->events_lost);
    put_field(object, "output", json_safe_text(trace->output ? trace->output : ""));
    json_t *list = place_table_json(places);
    html_sources(sources, list, trace);
    put_field(object, "places", list);
    place_table_free(places);
    return object;
}

/* Inside a script element HTML only looks for "</script" and "<!--". JSON needs `<` only inside
 * strings, where \u003c means the same. */
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
    put_field(root, "version", json_string(MAZUR_VERSION));
    put_field(root, "program", json_safe_text(result->program));
    put_field(root, "coverage",
              result->coverage.strategy ? coverage_data(&result->coverage) : json_null());
    put_field(root, "traces", list);
    put_field(root, "sources", sources);
    char *json = json_for_terminal(json_dumps(root, JSON_COMPACT));
    buffer_add(&out, page_head, page_head_size);
    add_escaped(&out, json);
    buffer_add(&out, page_tail, page_tail_size);
    free(json);
    json_decref(root);
    return buffer_take(&out);
}
