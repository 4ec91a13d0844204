/* What a search covered as JSON, written and read back. */
#include <stdio.h>

#include "trace/json_fields.h"
#include "trace/reasons.h"
#include "trace/trace_json.h"

/* Rows of a model hold states and transitions in place of executions and traces. */
static const char *first_count(bool model)
{
    return model ? "states" : "executions";
}

static const char *second_count(bool model)
{
    return model ? "transitions" : "distinct";
}

/* --- Writing --- */

static json_t *bound_rows_json(const struct bound_row *row, int count, bool model)
{
    json_t *rows = json_array();
    for (int i = 0; i < count; i++) {
        json_t *object = json_object();
        put_number(object, "bound", row[i].bound);
        put_number(object, first_count(model), (int64_t)row[i].executions);
        put_number(object, second_count(model), (int64_t)row[i].distinct);
        if (!model && row[i].states)
            put_number(object, "states", (int64_t)row[i].states);
        json_array_append_new(rows, object);
    }
    return rows;
}

static json_t *state_points_json(const struct search_stats *stats)
{
    json_t *points = json_array();
    for (int i = 0; i < stats->npoints; i++) {
        json_t *point = json_object();
        put_number(point, "executions", (int64_t)stats->point[i].executions);
        put_number(point, "states", (int64_t)stats->point[i].states);
        json_array_append_new(points, point);
    }
    return points;
}

/* What the papers' tables count. */
static void put_measures(json_t *object, const struct search_stats *stats)
{
    put_number(object, "steps", (int64_t)stats->steps);
    put_number(object, "transitions", (int64_t)stats->transitions);
    put_number(object, "most_steps", stats->max_depth);
    put_number(object, "most_blocking", stats->max_blocking);
    put_number(object, "most_preemptions", stats->max_preemptions);
    if (stats->postconditions)
        put_number(object, "postconditions", (int64_t)stats->postconditions);
    if (!stats->npoints)
        return;
    put_number(object, "states", (int64_t)stats->states);
    put_flag(object, "states_exact", stats->states_exact);
    put_field(object, "states_growth", state_points_json(stats));
}

static json_t *coverage_rows_json(const struct coverage *coverage)
{
    return bound_rows_json(coverage->stats.row, coverage->stats.nrows, coverage->model);
}

static void put_hash(json_t *object, const char *key, uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    put_field(object, key, json_string(text));
}

json_t *json_shard(const struct shard *shard)
{
    json_t *object = json_object();
    put_number(object, "index", shard->index);
    put_number(object, "of", shard->of);
    put_flag(object, "whole", shard->whole);
    put_flag(object, "exhausted", shard->exhausted);
    put_flag(object, "keep_going", shard->keep_going);
    put_hash(object, "tree", shard->tree);
    put_hash(object, "program", shard->program);
    put_hash(object, "options", shard->options);
    put_number(object, "leaves", shard->leaves);
    put_number(object, "own", shard->own);
    put_number(object, "bound_done", shard->bound_done);
    put_field(object, "bounds", bound_rows_json(shard->row, shard->nrows, false));
    return object;
}

static void put_model_counts(json_t *object, const struct coverage *coverage)
{
    const struct model_coverage *model = coverage->model;
    put_number(object, "states", (int64_t)model->states);
    put_number(object, "transitions", (int64_t)model->transitions);
    put_number(object, "depth", (int64_t)model->depth);
    put_number(object, "errors", (int64_t)model->errors);
    put_field(object, "bytes_per_state", json_real(model->bytes_per_state));
    put_flag(object, "complete", coverage->complete);
    put_number(object, "bound_done", coverage->stats.bound_done);
    put_field(object, "bounds", coverage_rows_json(coverage));
    if (model->fewest)
        put_field(object, "fewest", json_true());
    if (model->property)
        put_field(object, "property", json_string(model->property));
    if (model->truncated_by)
        put_field(object, "truncated_by", json_string(model->truncated_by));
    if (model->approximate)
        put_field(object, "states_missed", json_real(model->missed));
}

static void uncontrolled_calls(const struct coverage *coverage, struct text_list *list)
{
    reason_details(&coverage->claim, REASON_UNCONTROLLED, list);
}

static void put_list(json_t *object, const char *key, const struct coverage *coverage,
                     void (*collect)(const struct coverage *, struct text_list *))
{
    struct text_list list = {0};
    collect(coverage, &list);
    put_field(object, key, json_text_list(&list));
    list_release(&list);
}

json_t *json_coverage(const struct coverage *coverage)
{
    const struct search_stats *stats = &coverage->stats;
    json_t *object = json_object();
    if (coverage->model) {
        put_model_counts(object, coverage);
        put_list(object, "notes", coverage, reason_notes);
        return object;
    }
    put_field(object, "strategy", json_safe_text(coverage->strategy));
    put_number(object, "bound_asked", coverage->bound_asked);
    put_number(object, "fair", coverage->fair);
    put_flag(object, "store_buffers", coverage->store_buffers);
    put_number(object, "executions", (int64_t)stats->executions);
    put_number(object, "pruned", (int64_t)stats->pruned);
    put_number(object, "sampled", (int64_t)stats->sampled);
    put_number(object, "distinct", (int64_t)stats->distinct);
    put_flag(object, "distinct_exact", coverage->counted);
    put_measures(object, stats);
    put_number(object, "bound", stats->bound);
    put_number(object, "bound_done", stats->bound_done);
    put_flag(object, "pruned_by_bound", stats->pruned_by_bound);
    put_flag(object, "depth_cut", claim_has(&coverage->claim, REASON_STEP_LIMIT));
    put_flag(object, "complete", coverage->complete);
    put_number(object, "fewest_failing", coverage->fewest_failing);
    if (coverage->restricted && *coverage->restricted)
        put_text(object, "restricted", coverage->restricted);
    put_flag(object, "instrumented", coverage->instrumented);
    put_number(object, "threads", coverage->threads);
    put_number(object, "visible_operations", coverage->visible);
    put_list(object, "uncontrolled", coverage, uncontrolled_calls);
    put_list(object, "notes", coverage, reason_notes);
    put_field(object, "reasons", json_reasons(&coverage->claim));
    put_field(object, "bounds", coverage_rows_json(coverage));
    return object;
}

/* --- Reading --- */

int read_bound_rows(struct trace_reader *reader, const json_t *object, struct bound_row *row,
                    bool model)
{
    const json_t *rows = get_list(reader, object, "bounds", BOUND_ROWS);
    int count = (int)json_array_size(rows);
    for (int i = 0; i < count; i++) {
        const json_t *one = json_array_get(rows, (size_t)i);
        row[i] =
            (struct bound_row){.bound = (int)get_number(reader, one, "bound", 0, INT32_MAX, 0),
                               .executions = get_long_count(reader, one, first_count(model)),
                               .distinct = get_long_count(reader, one, second_count(model)),
                               .states = get_long_count(reader, one, "states")};
    }
    return count;
}

static void read_measures(struct trace_reader *reader, const json_t *object,
                          struct search_stats *stats)
{
    stats->steps = get_long_count(reader, object, "steps");
    stats->transitions = get_long_count(reader, object, "transitions");
    stats->max_depth = get_count(reader, object, "most_steps");
    stats->max_blocking = get_count(reader, object, "most_blocking");
    stats->max_preemptions = get_count(reader, object, "most_preemptions");
    stats->postconditions = get_long_count(reader, object, "postconditions");
    const json_t *points = get_list(reader, object, "states_growth", STATE_POINTS);
    stats->npoints = (int)json_array_size(points);
    for (int i = 0; i < stats->npoints; i++) {
        const json_t *point = json_array_get(points, (size_t)i);
        stats->point[i] =
            (struct state_point){.executions = get_long_count(reader, point, "executions"),
                                 .states = get_long_count(reader, point, "states")};
    }
    if (!stats->npoints)
        return;
    stats->states = get_long_count(reader, object, "states");
    stats->states_exact = get_flag(reader, object, "states_exact");
}

static const struct model_coverage *read_model_coverage(struct trace_reader *reader,
                                                        const json_t *object)
{
    struct model_coverage *model = arena_alloc(&reader->trace->arena, sizeof *model);
    model->states = get_long_count(reader, object, "states");
    model->transitions = get_long_count(reader, object, "transitions");
    model->depth = get_long_count(reader, object, "depth");
    model->errors = get_long_count(reader, object, "errors");
    model->bytes_per_state = json_real_value(json_object_get(object, "bytes_per_state"));
    model->property = get_text(reader, object, "property", NULL);
    model->truncated_by = get_text(reader, object, "truncated_by", NULL);
    const json_t *missed = json_object_get(object, "states_missed");
    model->approximate = missed;
    model->missed = json_real_value(missed);
    model->fewest = get_flag(reader, object, "fewest");
    return model;
}

/* Reasons are read by their ids. Older files have only the sentences. */
static void read_reasons(struct trace_reader *reader, const json_t *object,
                         struct coverage *coverage)
{
    size_t nuncontrolled;
    const char **uncontrolled = get_words(reader, object, "uncontrolled", &nuncontrolled);
    const json_t *list = get_list(reader, object, "reasons", WORDS_MAX);
    for (size_t i = 0; i < nuncontrolled; i++)
        claim_raise(&coverage->claim, REASON_UNCONTROLLED, uncontrolled[i]);
    coverage->note = get_words(reader, object, "notes", &coverage->nnotes);
    size_t count = json_array_size(list);
    if (count == 0)
        return;
    /* the notes repeat the sentences of the reasons; an unknown reason is kept as its sentence
     */
    const char **unknown = arena_alloc(&reader->trace->arena, count * sizeof *unknown);
    coverage->note = unknown;
    coverage->nnotes = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *reason = json_array_get(list, i);
        const char *id = get_text(reader, reason, "id", "");
        size_t nnames;
        const char **names = get_words(reader, reason, "names", &nnames);
        bool known = reason_raise_by_id(&coverage->claim, id, nnames ? names[0] : NULL);
        for (size_t j = 1; known && j < nnames; j++)
            reason_raise_by_id(&coverage->claim, id, names[j]);
        if (!known)
            unknown[coverage->nnotes++] = get_text(reader, reason, "text", "");
    }
}

void read_coverage(struct trace_reader *reader, const json_t *root)
{
    struct coverage *coverage = &reader->trace->coverage;
    struct search_stats *stats = &coverage->stats;
    const json_t *object = get_field(reader, root, "coverage", JSON_OBJECT, true);
    coverage->strategy = get_text(reader, object, "strategy", "?");
    coverage->instrumented = get_flag(reader, object, "instrumented");
    coverage->restricted = get_text(reader, object, "restricted", "");
    coverage->store_buffers = get_flag(reader, object, "store_buffers");
    coverage->fair = (int)get_number(reader, object, "fair", -1, INT32_MAX, -1);
    coverage->bound_asked =
        (int)get_number(reader, object, "bound_asked", BOUND_AUTO, INT32_MAX, BOUND_AUTO);
    if (reader->trace->recipe.model)
        coverage->model = read_model_coverage(reader, object);
    stats->executions = get_long_count(reader, object, "executions");
    stats->pruned = get_long_count(reader, object, "pruned");
    stats->sampled = get_long_count(reader, object, "sampled");
    stats->distinct = get_long_count(reader, object, "distinct");
    coverage->counted = stats->distinct_exact = get_flag(reader, object, "distinct_exact");
    read_measures(reader, object, stats);
    stats->bound = (int)get_number(reader, object, "bound", BOUND_AUTO, INT32_MAX, BOUND_NONE);
    stats->bound_done = (int)get_number(reader, object, "bound_done", -1, INT32_MAX, -1);
    stats->pruned_by_bound = get_flag(reader, object, "pruned_by_bound");
    if (get_flag(reader, object, "depth_cut"))
        claim_raise(&coverage->claim, REASON_STEP_LIMIT, NULL);
    coverage->complete = stats->complete = get_flag(reader, object, "complete");
    coverage->fewest_failing =
        (int)get_number(reader, object, "fewest_failing", -1, INT32_MAX, -1);
    coverage->threads = get_count(reader, object, "threads");
    coverage->visible = get_count(reader, object, "visible_operations");
    read_reasons(reader, object, coverage);
    stats->nrows = read_bound_rows(reader, object, stats->row, reader->trace->recipe.model);
}
