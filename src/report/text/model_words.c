/* What the reports say about models, where it differs from programs. See model_words.h. */
#include "report/text/model_words.h"

#include <stdlib.h>
#include <string.h>

static void add_counts(struct buffer *text, const struct model_coverage *model)
{
    buffer_count(text, model->states);
    buffer_printf(text, " state%s, ", model->states == 1 ? "" : "s");
    buffer_count(text, model->transitions);
    buffer_printf(text, " transition%s", model->transitions == 1 ? "" : "s");
}

char *model_sentence(const struct coverage *coverage)
{
    const struct model_coverage *model = coverage->model;
    struct buffer text = {0};
    if (coverage->complete) {
        buffer_text(&text, "complete: every state, ");
        add_counts(&text, model);
    } else if (coverage->stats.bound_done >= 0 && !model->truncated_by) {
        buffer_printf(&text, "all states within %d preemption%s (", coverage->stats.bound_done,
                      coverage->stats.bound_done == 1 ? "" : "s");
        add_counts(&text, model);
        buffer_text(&text, ")");
    } else {
        buffer_text(&text, model->approximate && !model->truncated_by
                               ? "nearly all states ("
                               : "a part of the states (");
        add_counts(&text, model);
        buffer_text(&text, ")");
    }
    if (model->property)
        buffer_printf(&text, " with %s", model->property);
    return buffer_take(&text);
}

void model_weaknesses(const struct coverage *coverage, struct text_list *list)
{
    const struct model_coverage *model = coverage->model;
    if (model->truncated_by)
        list_take(list, strcmp(model->truncated_by, "interrupted") == 0
                            ? copy_text("interrupted")
                            : format_text("cut short by the %s", model->truncated_by));
    if (model->approximate)
        list_take(list, format_text("hashes were compared, not states: %.3g of them may have "
                                    "been missed",
                                    model->missed));
}

const char *model_verdict(const struct coverage *coverage)
{
    const struct model_coverage *model = coverage->model;
    return coverage->complete                ? "passed"
           : model->truncated_by             ? "incomplete"
           : model->approximate              ? "nothing-found"
           : coverage->stats.bound_done >= 0 ? "passed-within-bound"
                                             : "incomplete";
}

/* Rows hold states and transitions in place of executions and traces. */
static json_t *rows_json(const struct search_stats *stats)
{
    json_t *rows = json_array();
    for (int i = 0; i < stats->nrows; i++)
        json_array_append_new(rows,
                              json_pack("{s:i,s:I,s:I}", "bound", stats->row[i].bound, "states",
                                        (json_int_t)stats->row[i].executions, "transitions",
                                        (json_int_t)stats->row[i].distinct));
    return rows;
}

void model_json(json_t *object, const struct coverage *coverage)
{
    const struct model_coverage *model = coverage->model;
    json_object_set_new(object, "states", json_integer((json_int_t)model->states));
    json_object_set_new(object, "transitions", json_integer((json_int_t)model->transitions));
    json_object_set_new(object, "depth", json_integer((json_int_t)model->depth));
    json_object_set_new(object, "errors", json_integer((json_int_t)model->errors));
    json_object_set_new(object, "bytes_per_state", json_real(model->bytes_per_state));
    json_object_set_new(object, "complete", json_boolean(coverage->complete));
    json_object_set_new(object, "bound_done", json_integer(coverage->stats.bound_done));
    json_object_set_new(object, "bounds", rows_json(&coverage->stats));
    if (model->fewest)
        json_object_set_new(object, "fewest", json_true());
    if (model->property)
        json_object_set_new(object, "property", json_string(model->property));
    if (model->truncated_by)
        json_object_set_new(object, "truncated_by", json_string(model->truncated_by));
    if (model->approximate)
        json_object_set_new(object, "states_missed", json_real(model->missed));
}

/* "P(0).x" is x in the column of P(0). */
static const char *name_in_column(const char *name, const char *process)
{
    size_t length = strlen(process);
    return strncmp(name, process, length) == 0 && name[length] == '.' ? name + length + 1
                                                                      : name;
}

void add_changes(struct buffer *out, const struct trace *trace, const struct trace_event *event)
{
    const char *process = trace->thread[event->tid].name;
    for (size_t i = 0; i < event->nchanges; i++) {
        buffer_text(out, i ? ", " : "   ");
        add_clean(out, name_in_column(event->change[i].name, process));
        buffer_text(out, ": ");
        add_clean(out, event->change[i].before);
        buffer_text(out, " → ");
        add_clean(out, event->change[i].after);
    }
}
