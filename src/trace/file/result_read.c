/* See result_read.h. */
#include "trace/file/result_read.h"

#include <stdlib.h>
#include <string.h>

#include "host/paths.h"
#include "trace/file/mzt.h"
#include "trace/trace_json.h"
#include "trace/verdict.h"

#define FAILURES_LIMIT 1000

/* A hash as sixteen hexadecimal digits. */
static uint64_t get_hash(struct trace_reader *reader, const json_t *object, const char *key)
{
    const char *text = get_text(reader, object, key, "");
    char *end;
    uint64_t hash = strtoull(text, &end, 16);
    if (strlen(text) != 16 || *end)
        reject_field(reader, key, "is not a hash");
    return hash;
}

static const struct shard *read_shard(struct trace_reader *reader, const json_t *root)
{
    const json_t *object = get_field(reader, root, "shard", JSON_OBJECT, false);
    if (!object)
        return NULL;
    struct shard *shard = arena_alloc(&reader->trace->arena, sizeof *shard);
    shard->of = (int)need_number(reader, object, "of", 1, INT32_MAX);
    shard->index = (int)need_number(reader, object, "index", 1, shard->of > 0 ? shard->of : 1);
    shard->whole = get_flag(reader, object, "whole");
    shard->exhausted = get_flag(reader, object, "exhausted");
    shard->keep_going = get_flag(reader, object, "keep_going");
    shard->tree = get_hash(reader, object, "tree");
    shard->program = get_hash(reader, object, "program");
    shard->options = get_hash(reader, object, "options");
    shard->leaves = get_count(reader, object, "leaves");
    shard->own = get_count(reader, object, "own");
    shard->bound_done = (int)get_number(reader, object, "bound_done", -1, INT32_MAX, -1);
    shard->nrows = read_bound_rows(reader, object, shard->row, false);
    return shard;
}

/* A shard may not claim as much as the whole search (REASON_SHARD). A merged result is no
 * longer a shard. */
static void drop_shard_reason(json_t *root)
{
    json_t *list = json_object_get(root, "reasons");
    for (size_t i = json_array_size(list); i-- > 0;) {
        const char *id = json_string_value(json_object_get(json_array_get(list, i), "id"));
        if (id && strcmp(id, claim_row(REASON_SHARD)->id) == 0)
            json_array_remove(list, i);
    }
}

/* In a result some numbers may be null, and "bound" is that of the failure. */
static void drop_nulls(json_t *root)
{
    json_object_del(root, "bound");
    if (json_is_null(json_object_get(root, "bound_done")))
        json_object_del(root, "bound_done");
}

/* --- failures --- */

static struct trace *read_trace_file(const json_t *failure, const char *path)
{
    const char *name = json_string_value(json_object_get(failure, "trace_file"));
    char *why = NULL;
    if (!name)
        return NULL;
    struct trace *trace = mzt_read(name, &why);
    free(why);
    if (!trace && strchr(path, '/')) {
        char *directory = directory_of(path);
        char *beside = join_path(directory, base_name(name));
        why = NULL;
        trace = mzt_read(beside, &why);
        free(why);
        free(beside);
        free(directory);
    }
    return trace;
}

/* Without its events: what the result itself says. */
static struct trace *read_bare_failure(struct trace_reader *outer, const json_t *object)
{
    struct trace *trace = trace_new();
    struct trace_reader reader = {.trace = trace};
    struct trace_failure *failure = &trace->failure;
    const json_t *place = json_object_get(object, "location");
    failure->kind = failure_from_name(get_text(&reader, object, "kind", ""));
    failure->message = get_text(&reader, object, "message", "");
    failure->detail = "";
    failure->tid = -1;
    failure->preemptions = (int)get_number(&reader, object, "preemptions", -1, INT32_MAX, -1);
    if (json_is_string(place)) /* there is no thread whose stack could say it */
        failure->message = arena_format(&trace->arena, "%s, at %s", failure->message,
                                        get_text(&reader, object, "location", ""));
    trace->output = "";
    trace->inflection = TRACE_NO_EVENT;
    if (failure->kind == FAILURE_NONE)
        reject_field(&reader, "kind", "is not a kind of failure");
    if (reader.reason) {
        reject_field(outer, "failures", "can't be read");
        free(reader.reason);
        trace_free(trace);
        return NULL;
    }
    return trace;
}

static void read_failures(struct trace_reader *reader, const json_t *root, const char *path,
                          struct result *result)
{
    const json_t *list = get_list(reader, root, "failures", FAILURES_LIMIT);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *object = json_array_get(list, i);
        const json_t *bound = json_object_get(object, "bound");
        struct trace *trace = read_trace_file(object, path);
        if (!trace)
            trace = read_bare_failure(reader, object);
        if (!trace)
            return;
        trace->program = arena_text(&trace->arena, result->program);
        trace->failure.bound =
            json_is_integer(bound) ? (int)json_integer_value(bound) : BOUND_NONE;
        result_add(result, trace);
    }
}

/* --- the whole --- */

static char *read_root(struct result *result, json_t *root, const char *path)
{
    struct trace *holder = trace_new();
    struct trace_reader reader = {.trace = holder};
    json_t *whole = json_pack("{s:O}", "coverage", root);
    const char *ended = get_text(&reader, root, "ended", "");
    if (!json_object_get(root, "executions"))
        reject_field(&reader, "executions", "is missing: it is not the result of a program");
    drop_shard_reason(root);
    drop_nulls(root);
    read_coverage(&reader, whole);
    holder->coverage.shard = read_shard(&reader, root);
    result->program = get_text(&reader, root, "program", "?");
    result->seconds = json_number_value(json_object_get(root, "seconds"));
    int end = result_end_from_name(ended);
    if (end < 0)
        reject_field(&reader, "ended", "is not a way to end");
    result->end = end < 0 ? ENDED_SEARCHED : (enum search_end)end;
    read_failures(&reader, root, path, result);
    result->coverage = holder->coverage;
    result->coverage.unseen =
        result->coverage.stats.complete && claim_is_blind_only(&result->coverage.claim);
    result->coverage.all_counted = json_object_get(root, "traces_within_bound");
    result->arena = holder->arena; /* the texts are there */
    holder->arena = (struct arena){0};
    trace_free(holder);
    json_decref(whole);
    return reader.reason;
}

struct result *result_read(const char *path, char **reason)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!json_is_object(root)) {
        *reason = format_text("%s", root ? "it is not a result of mazur" : error.text);
        json_decref(root);
        return NULL;
    }
    struct result *result = result_new("");
    arena_free(&result->arena);
    result->program = NULL;
    *reason = read_root(result, root, path);
    json_decref(root);
    if (!*reason)
        return result;
    result_free(result);
    return NULL;
}
