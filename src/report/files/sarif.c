/* SARIF 2.1.0 can represent an interleaving directly: a code flow (section 3.36) has one thread
 * flow per thread (3.37), and executionOrder (3.38.11) numbers the locations over all of them.
 *
 *     result ── codeFlow ─┬─ threadFlow "main"  #1  #2            #7
 *                         └─ threadFlow "T1"             #3 … #6
 *
 * Invariant: executionOrder of an event is its number in every other report; the failure comes
 * after the last one. Locations are only given where a file is known (3.4: a URI). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host/terminal.h"
#include "report/files/formats.h"
#include "report/text/text_private.h"
#include "trace/trace_json.h"
#include "trace/verdict.h"

#define SCHEMA                                                                                 \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
    "sarif-schema-2.1.0.json"

static json_t *message_json(const char *text)
{
    return json_pack("{s:o}", "text", json_safe_text(text));
}

/* A relative path as it is, an absolute one as a file URI (RFC 3986, RFC 8089). */
static json_t *file_uri(const char *file)
{
    struct buffer uri = {0};
    buffer_text(&uri, *file == '/' ? "file://" : "");
    for (; *file; file++) {
        if (isalnum((unsigned char)*file) || strchr("-._~/", *file))
            buffer_add(&uri, file, 1);
        else
            buffer_printf(&uri, "%%%02X", (unsigned char)*file);
    }
    json_t *text = json_string(uri.data);
    buffer_release(&uri);
    return text;
}

/* A location object (3.28); `words` and `place` may be NULL. */
static json_t *location_json(const struct source_place *place, const char *words)
{
    json_t *object = json_object();
    if (place && place->file && *place->file) {
        json_t *physical = json_object();
        put_field(physical, "artifactLocation",
                  json_pack("{s:o}", "uri", file_uri(place->file)));
        if (place->line > 0)
            put_field(physical, "region", json_pack("{s:i}", "startLine", place->line));
        put_field(object, "physicalLocation", physical);
    }
    if (place && place->function && *place->function)
        put_field(object, "logicalLocations",
                  json_pack("[{s:o,s:s}]", "fullyQualifiedName",
                            json_safe_text(place->function), "kind", "function"));
    if (words)
        put_field(object, "message", message_json(words));
    return object;
}

static json_t *stack_json(const struct source_stack *frames, const char *words)
{
    json_t *object = json_object(), *list = json_array();
    for (size_t i = 0; i < frames->count; i++)
        json_array_append_new(
            list, json_pack("{s:o}", "location", location_json(&frames->place[i], NULL)));
    put_field(object, "message", message_json(words));
    put_field(object, "frames", list);
    return object;
}

/* --- The interleaving --- */

static json_t *flow_location(const struct source_place *place, const char *words, size_t order,
                             const char *importance)
{
    return json_pack("{s:o,s:I,s:s}", "location", location_json(place, words), "executionOrder",
                     (json_int_t)order, "importance", importance);
}

static json_t *event_location(const struct trace *trace, size_t index)
{
    const struct trace_event *event = &trace->event[index];
    bool preempts = event->reason == SWITCH_PREEMPTED && event->from >= 0;
    struct buffer words = {0};
    add_event_phrase(&words, trace, (uint32_t)index);
    if (preempts) {
        buffer_text(&words, " (preempts ");
        add_thread(&words, trace, event->from);
        buffer_text(&words, ")");
    }
    bool decides = index == trace->inflection;
    if (decides)
        buffer_text(&words, " (from here on every continuation fails)");
    json_t *object = flow_location(stack_user_place(&event->stack), words.data, index + 1,
                                   preempts || decides ? "essential" : "important");
    buffer_release(&words);
    return object;
}

static json_t *thread_flow(const struct trace *trace, int tid)
{
    json_t *locations = json_array();
    for (size_t i = 0; i < trace->nevents; i++)
        if (trace->event[i].tid == tid)
            json_array_append_new(locations, event_location(trace, i));
    if (trace_failing_thread(trace) == tid)
        json_array_append_new(locations,
                              flow_location(trace_location(trace), trace->failure.message,
                                            trace->nevents + 1, "essential"));
    /* a thread flow has at least one location (3.37.6) */
    if (!json_array_size(locations)) {
        json_decref(locations);
        return NULL;
    }
    char *label = thread_label(trace, tid);
    json_t *flow = json_pack("{s:o,s:o}", "id", json_safe_text(label), "locations", locations);
    if (trace->thread[tid].function[0])
        put_field(flow, "message", message_json(trace->thread[tid].function));
    free(label);
    return flow;
}

static json_t *code_flows(const struct trace *trace)
{
    json_t *flows = json_array();
    for (size_t i = 0; i < trace->nthreads; i++) {
        json_t *flow = thread_flow(trace, (int)i);
        if (flow)
            json_array_append_new(flows, flow);
    }
    if (!json_array_size(flows)) {
        json_decref(flows);
        return NULL;
    }
    return json_pack("[{s:o}]", "threadFlows", flows);
}

/* --- Results --- */

static void put_stacks(json_t *result, const struct trace_failure *failure)
{
    json_t *stacks = json_array();
    if (failure->stack.count)
        json_array_append_new(stacks, stack_json(&failure->stack, "the failure"));
    for (size_t i = 0; i < failure->naccesses; i++)
        json_array_append_new(stacks, stack_json(&failure->access[i].stack,
                                                 i ? "second access" : "first access"));
    if (failure->has_block)
        json_array_append_new(stacks, stack_json(&failure->allocated, "allocation"));
    if (failure->has_block && failure->freed.count)
        json_array_append_new(stacks, stack_json(&failure->freed, "free"));
    put_field(result, "stacks", stacks);
}

static json_t *failure_result(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    const struct source_place *place = trace_location(trace);
    json_t *result = json_pack("{s:s,s:s,s:o}", "ruleId", failure_name(failure->kind), "level",
                               "error", "message", message_json(failure->message));
    if (place)
        put_field(result, "locations", json_pack("[o]", location_json(place, NULL)));
    json_t *flows = code_flows(trace);
    if (flows)
        put_field(result, "codeFlows", flows);
    put_stacks(result, failure);
    json_t *properties = json_pack("{s:I,s:i}", "execution", (json_int_t)failure->execution,
                                   "preemptions", failure->preemptions);
    if (trace->file_name)
        put_field(properties, "traceFile", json_safe_text(trace->file_name));
    put_field(result, "properties", properties);
    return result;
}

/* Each kind of failure that occurs, once (3.19.23: no two rules are alike). */
static json_t *rules_json(struct trace *const *traces, size_t count)
{
    json_t *list = json_array();
    for (int kind = FAILURE_NONE + 1; kind < FAILURE_KINDS; kind++) {
        bool occurs = false;
        for (size_t i = 0; i < count; i++)
            occurs |= traces[i]->failure.kind == (enum failure_kind)kind;
        if (occurs)
            json_array_append_new(list, json_pack("{s:s,s:o}", "id", failure_name(kind),
                                                  "shortDescription",
                                                  message_json(failure_title(kind))));
    }
    return list;
}

/* What was covered: a note, so that a run without a failure is more than an empty list. */
static json_t *invocation_json(const struct coverage *coverage)
{
    json_t *object = json_pack("{s:b}", "executionSuccessful", 1);
    if (!coverage->strategy)
        return object;
    char *sentence = coverage_sentence(coverage);
    put_field(object, "toolExecutionNotifications",
              json_pack("[{s:s,s:o}]", "level", "note", "message", message_json(sentence)));
    free(sentence);
    return object;
}

char *sarif_result(const struct result *result)
{
    json_t *results = json_array();
    for (size_t i = 0; i < result->nfailures; i++)
        json_array_append_new(results, failure_result(result->failure[i]));
    json_t *driver = json_pack("{s:s,s:s,s:o}", "name", "Mazur", "version", MAZUR_VERSION,
                               "rules", rules_json(result->failure, result->nfailures));
    json_t *run = json_pack("{s:{s:o},s:[o],s:o,s:s}", "tool", "driver", driver, "invocations",
                            invocation_json(&result->coverage), "results", results,
                            "columnKind", "utf16CodeUnits");
    json_t *root =
        json_pack("{s:s,s:s,s:[o]}", "$schema", SCHEMA, "version", "2.1.0", "runs", run);
    char *text = json_for_terminal(json_dumps(root, JSON_INDENT(1)));
    json_decref(root);
    return text;
}
