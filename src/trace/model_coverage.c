/* See model_coverage.h. */
#include "trace/model_coverage.h"

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
        buffer_printf(&text, "%s states within %d preemption%s (",
                      model->approximate ? "nearly all" : "all", coverage->stats.bound_done,
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

/* An estimate: "less than 0.01", "34.8", "about 16,700". */
static char *missed_text(double missed)
{
    struct buffer text = {0};
    if (missed < 0.01)
        return copy_text("less than 0.01");
    if (missed < 1000)
        return format_text("%.3g", missed);
    if (!(missed < 1e15))
        return copy_text("most"); /* and what no search says: files are read, too */
    uint64_t unit = 1;
    while (missed / (double)unit >= 1000)
        unit *= 10;
    buffer_text(&text, "about ");
    buffer_count(&text, (uint64_t)(missed / (double)unit + 0.5) * unit);
    return buffer_take(&text);
}

void model_weaknesses(const struct coverage *coverage, struct text_list *list)
{
    const struct model_coverage *model = coverage->model;
    if (model->truncated_by)
        list_take(list, strcmp(model->truncated_by, "interrupted") == 0
                            ? copy_text("interrupted")
                            : format_text("cut short by the %s", model->truncated_by));
    if (model->approximate) {
        char *missed = missed_text(model->missed);
        list_take(list, format_text("hashes were compared, not states: %s of them may have "
                                    "been missed",
                                    missed));
        free(missed);
    }
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
