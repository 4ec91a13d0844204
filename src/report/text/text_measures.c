/* What a search measured besides its verdict: with --count-states the happens-before states
 * that it visited, with --verbose what the tables of the papers count
 * (explore/search/measure.h). */
#include <string.h>

#include "host/text_layout.h"
#include "report/text/text.h"

#define POINTS_SHOWN 8 /* in a row; the JSON has all of them */

static void add_number(struct buffer *out, uint64_t count, const char *one, const char *many)
{
    buffer_count(out, count);
    buffer_printf(out, " %s", count == 1 ? one : many);
}

/* "States visited: 91 (within bound 0: 41, 1: 91)" */
static void add_states(struct buffer *out, const struct search_stats *stats)
{
    buffer_printf(out, "States visited: %s", stats->states_exact ? "" : "about ");
    buffer_count(out, stats->states);
    for (int i = 0; i < stats->nrows; i++) {
        buffer_printf(out, "%s%d: ", i ? ", " : " (within bound ", stats->row[i].bound);
        buffer_count(out, stats->row[i].states);
    }
    buffer_text(out, stats->nrows ? ")\n" : "\n");
}

/* A few points of the curve, evenly spread. */
static void add_growth(struct buffer *out, const struct search_stats *stats)
{
    int shown = stats->npoints < POINTS_SHOWN ? stats->npoints : POINTS_SHOWN;
    if (shown < 2)
        return;
    buffer_text(out, "States after executions:");
    for (int i = 0; i < shown; i++) {
        const struct state_point *point = &stats->point[i * (stats->npoints - 1) / (shown - 1)];
        buffer_text(out, i ? ", " : " ");
        buffer_count(out, point->executions);
        buffer_text(out, ": ");
        buffer_count(out, point->states);
    }
    buffer_text(out, "\n");
}

static void add_sizes(struct buffer *out, const struct search_stats *stats)
{
    buffer_text(out, "The longest execution has ");
    add_number(out, stats->max_depth, "step", "steps");
    buffer_text(out, " (K); at most ");
    add_number(out, stats->max_blocking, "operation that may block (B) and ",
               "operations that may block (B) and ");
    add_number(out, stats->max_preemptions, "preemption (c)", "preemptions (c)");
    buffer_text(out, " in one.\n");
    add_number(out, stats->steps, "step", "steps");
    buffer_text(out, " in all: ");
    add_number(out, stats->transitions, "transition", "transitions");
    buffer_text(out, ", the others replayed what an earlier execution had done.\n");
    if (!stats->postconditions)
        return;
    buffer_text(out, "The postconditions of the reduction hold in ");
    add_number(out, stats->postconditions, "state", "states");
    buffer_text(out, " that were visited.\n");
}

void text_measures(struct buffer *out, const struct result *result, struct text_style style)
{
    const struct search_stats *stats = &result->coverage.stats;
    size_t start = out->length;
    if (style.quiet || result->coverage.model)
        return;
    if (result->count_states)
        add_states(out, stats);
    if (result->count_states && style.verbose)
        add_growth(out, stats);
    if (style.verbose)
        add_sizes(out, stats);
    if (style.columns)
        wrap_lines(out, start, style.columns, 2, LONG_WORD_STAYS);
}
