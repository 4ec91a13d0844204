/* The report of a search that found nothing: exactly what was proven, and what weakens that
 * claim. */
#include <stdlib.h>
#include <string.h>

#include "explore/search/strategies.h"
#include "host/text_layout.h"
#include "host/terminal.h"
#include "report/text/text.h"
#include "trace/reasons.h"

#define UNREACHED_SHOWN 6 /* of a proctype */

/* "passed: ", "nothing found: " or nothing where the sentence itself begins with "complete". */
static const char *choose_opening(const struct result *result)
{
    if (result->coverage.complete)
        return "";
    if (result->coverage.model)
        return result->coverage.model->truncated_by ? "incomplete: nothing found in "
               : result->coverage.model->approximate || result->coverage.stats.bound_done < 0
                   ? "nothing found in "
                   : "passed: ";
    if (result->require_complete)
        return "incomplete: ";
    return result_bound_complete(result) ? "passed: " : "nothing found: ";
}

static void add_trace_counts(struct buffer *out, const struct coverage *coverage)
{
    const struct search_stats *stats = &coverage->stats;
    if (!coverage->all_counted) {
        buffer_text(out, "Traces within a bound were not counted: not all of them were run.\n");
        return;
    }
    buffer_text(out, "Traces within bound");
    for (int i = 0; i < stats->nrows; i++)
        buffer_printf(out, "%s %d: %llu", i ? "," : "", stats->row[i].bound,
                      (unsigned long long)stats->row[i].distinct);
    buffer_text(out, stats->nrows ? "\n" : " 0: not finished\n");
}

static void add_resume(struct buffer *out, const struct result *result)
{
    if (result->resume)
        buffer_printf(out, "To resume this search: %s\n", result->resume);
    else if (result->not_kept)
        buffer_printf(out,
                      "This search can't be resumed: %s. --time 0 searches without a limit.\n",
                      result->not_kept);
}

/* What a person may want to know next. */
static void add_remarks(struct buffer *out, const struct result *result, const char *because)
{
    if (strategy_has(result->coverage.strategy, STRATEGY_STATEFUL) && result->coverage.complete)
        buffer_text(out, "Every local state that a thread can reach was visited (states were "
                         "compared by two 64-bit hashes).\n");
    if (because)
        buffer_printf(out, "The search is not finished: %s.\n", because);
    if (strategy_has(result->coverage.strategy, STRATEGY_SAMPLES))
        buffer_printf(out,
                      "Strategy %s samples executions; it can't show that no failure exists.\n",
                      result->coverage.strategy);
}

void text_pass(struct buffer *out, const struct result *result, struct text_style style)
{
    char *because = reason_of_end(&result->coverage.claim);
    struct text_list weak = {0};
    char *sentence = coverage_sentence(&result->coverage);
    size_t start = out->length;
    buffer_text(out, "mazur: ");
    add_clean(out, result->program);
    buffer_printf(out, ": %s", choose_opening(result));
    add_clean(out, sentence);
    free(sentence);
    if (result->alone)
        buffer_text(out, " · no thread was started");
    coverage_weaknesses(&result->coverage, &weak);
    for (size_t i = 0; i < weak.count; i++) {
        buffer_text(out, " · ");
        add_clean(out, weak.item[i]);
    }
    list_release(&weak);
    if (result->cached)
        buffer_text(out, " · cached: an earlier search of the same program and options");
    buffer_text(out, "\n");
    if (result->count_traces)
        add_trace_counts(out, &result->coverage);
    if (!style.quiet && !result->coverage.model)
        add_remarks(out, result, because);
    if (style.columns)
        wrap_lines(out, start, style.columns, strlen("mazur: "), LONG_WORD_STAYS);
    if (!style.quiet && !result->coverage.model)
        add_resume(out, result); /* a command is never broken */
    free(because);
}

/* Models: "  Never reached in P: x = 3 (m.pml:7), …". */
void text_unreached(struct buffer *out, const struct result *result, struct text_style style)
{
    size_t shown = 0, start = out->length;
    for (size_t i = 0; i < result->nunreached; i++) {
        const struct unreached_statement *row = &result->unreached[i];
        bool first = i == 0 || strcmp(row->process, row[-1].process) != 0;
        bool last = i + 1 == result->nunreached || strcmp(row->process, row[1].process) != 0;
        shown = first ? 1 : shown + 1;
        if (first) {
            buffer_printf(out, "  %s reached in ", result->coverage.complete ? "Never" : "Not");
            add_clean(out, row->process);
            buffer_text(out, ": ");
        }
        if (shown <= UNREACHED_SHOWN || style.full) {
            buffer_text(out, first ? "" : ", ");
            add_clean(out, row->statement);
            buffer_printf(out, " (:%d)", row->place.line);
        } else if (last) {
            buffer_printf(out, " and %zu more (--full)", shown - UNREACHED_SHOWN);
        }
        buffer_text(out, last ? "\n" : "");
    }
    if (style.columns)
        wrap_lines(out, start, style.columns, strlen("    "), LONG_WORD_STAYS);
}
