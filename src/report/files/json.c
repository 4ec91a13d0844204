/* --json: the result of a search as other programs read it. Keys are stable; new ones may be
 * added. */
#include <math.h>
#include <stdlib.h>

#include "explore/search/strategies.h"
#include "host/terminal.h"
#include "report/files/formats.h"
#include "trace/result.h"
#include "trace/trace_json.h"
#include "trace/verdict.h"

static json_t *bound_json(int bound)
{
    return bound >= 0 ? json_integer(bound) : json_null();
}

/* A failure with its whole trace, self-contained: every event has its source line. */
static json_t *failure_json(const struct trace *trace)
{
    json_t *object = json_failure(&trace->failure, NULL);
    put_field(object, "bound", bound_json(trace->failure.bound));
    put_field(object, "location", json_location(trace_location(trace)));
    put_field(object, "simplest", json_simplest(trace));
    put_number(object, "switches", (int64_t)trace_switches(trace));
    put_field(object, "inflection", json_inflection(trace));
    put_field(object, "trace_file",
              trace->file_name ? json_safe_text(trace->file_name) : json_null());
    json_t *threads = json_array();
    for (size_t i = 0; i < trace->nthreads; i++)
        json_array_append_new(threads, json_thread(&trace->thread[i], NULL));
    put_field(object, "threads", threads);
    json_t *events = json_array();
    for (size_t i = 0; i < trace->nevents; i++)
        json_array_append_new(events, json_event(&trace->event[i], NULL));
    put_field(object, "trace", events);
    put_number(object, "events_lost", (int64_t)trace->events_lost);
    put_field(object, "output", json_safe_text(trace->output ? trace->output : ""));
    return object;
}

static void set_first_failure(json_t *root, const struct trace *first)
{
    const struct trace_failure *failure = &first->failure;
    put_field(root, "message", json_safe_text(failure->message));
    put_field(root, "location", json_location(trace_location(first)));
    put_field(root, "bound", bound_json(failure->bound));
    put_number(root, "preemptions", failure->preemptions);
}

static void set_no_failure(json_t *root, const struct result *result)
{
    char *sentence = coverage_sentence(&result->coverage);
    put_field(root, "message", json_safe_text(sentence));
    put_field(root, "location", json_null());
    put_field(root, "bound", bound_json(result->coverage.stats.bound_done));
    put_field(root, "preemptions", json_null());
    free(sentence);
}

/* Models: each search with its verdict, and the statements that were not reached. */
static void put_passes(json_t *root, const struct result *result)
{
    json_t *passes = json_array(), *unreached = json_array();
    for (size_t i = 0; i < result->npasses; i++) {
        const struct result_pass *pass = &result->pass[i];
        json_t *object = json_object();
        put_field(object, "property",
                  pass->property ? json_safe_text(pass->property) : json_null());
        if (pass->formula)
            put_field(object, "formula", json_safe_text(pass->formula));
        put_field(object, "verdict", json_string(pass->verdict));
        put_number(object, "states", (int64_t)pass->states);
        put_number(object, "transitions", (int64_t)pass->transitions);
        put_field(object, "seconds", json_real(pass->seconds));
        if (pass->truncated_by)
            put_field(object, "truncated_by", json_string(pass->truncated_by));
        json_array_append_new(passes, object);
    }
    put_field(root, "passes", passes);
    for (size_t i = 0; i < result->nunreached; i++) {
        json_t *object = json_object();
        put_field(object, "process", json_safe_text(result->unreached[i].process));
        put_field(object, "statement", json_safe_text(result->unreached[i].statement));
        put_field(object, "location", json_location(&result->unreached[i].place));
        json_array_append_new(unreached, object);
    }
    put_field(root, "unreached", result->unreached_known ? unreached : json_null());
    if (!result->unreached_known)
        json_decref(unreached);
}

char *json_result(const struct result *result)
{
    const struct search_stats *stats = &result->coverage.stats;
    /* counts, bound rows, uncontrolled calls, notes; then what is not part of a trace file */
    json_t *root = json_coverage(&result->coverage);
    put_field(root, "program", json_safe_text(result->program));
    put_field(root, "verdict", json_string(result_verdict(result)));
    if (result->nfailures)
        set_first_failure(root, result->failure[0]);
    else
        set_no_failure(root, result);
    double seconds = isfinite(result->seconds) ? result->seconds : 0;
    if (result->coverage.model)
        put_passes(root, result);
    if (result->coverage.model && result->claims_left_out)
        put_field(root, "claims_checked", json_false());
    put_field(root, "ended", json_string(result_end_name(result->end)));
    if (result->coverage.shard)
        put_field(root, "shard", json_shard(result->coverage.shard));
    if (result->cached)
        put_field(root, "cached", json_true());
    put_field(root, "resume", result->resume ? json_safe_text(result->resume) : json_null());
    put_field(root, "seconds", json_real(seconds));
    if (!result->coverage.model)
        put_field(root, "executions_per_second",
                  json_real(seconds > 0 ? (double)stats->executions / seconds : 0));
    put_field(root, "bound_done", bound_json(stats->bound_done));
    if (!result->coverage.model && result->coverage.all_counted) {
        json_t *traces = json_array();
        for (int i = 0; i < stats->nrows; i++)
            json_array_append_new(traces, json_integer((json_int_t)stats->row[i].distinct));
        put_field(root, "traces_within_bound", traces);
    }
    json_t *failures = json_array();
    for (size_t i = 0; i < result->nfailures; i++)
        json_array_append_new(failures, failure_json(result->failure[i]));
    put_field(root, "failures", failures);
    char *text = json_for_terminal(json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)));
    json_decref(root);
    return text;
}

char *json_trace(const struct trace *trace)
{
    json_t *root = failure_json(trace);
    put_field(root, "verdict", json_string(failure_name(trace->failure.kind)));
    put_field(root, "program", json_safe_text(trace->program));
    put_field(root, "coverage", json_coverage(&trace->coverage));
    char *text = json_for_terminal(json_dumps(root, JSON_INDENT(2)));
    json_decref(root);
    return text;
}
