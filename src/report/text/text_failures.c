/* The report of a search that continued after its first failure: a table of all failures, then
 * each of them, then what was searched. */
#include <stdlib.h>
#include <string.h>

#include "report/text/text_private.h"
#include "trace/verdict.h"

enum { COLUMN_WHAT, COLUMN_PLACE, COLUMN_PREEMPTIONS, COLUMN_TRACE, TABLE_COLUMNS };

struct failure_table {
    char *(*cell)[TABLE_COLUMNS]; /* by failure; malloc'd */
    size_t count;
    size_t width[TABLE_COLUMNS];
};

/* "data race on count": the kind, and what the message adds. */
static char *failure_words(const struct trace_failure *failure)
{
    const char *title = failure_title(failure->kind);
    struct buffer out = {0};
    if (strncmp(failure->message, title, strcspn(title, " ")) != 0)
        buffer_printf(&out, "%s: ", title);
    add_message(&out, failure);
    return buffer_take(&out);
}

/* The place of a failure; both places of a race. */
static char *failure_places(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    const struct source_place *place = trace_location(trace);
    struct buffer out = {0};
    if (failure->kind == FAILURE_RACE && failure->naccesses == 2) {
        const struct source_place *first = stack_user_place(&failure->access[0].stack);
        const struct source_place *second = stack_user_place(&failure->access[1].stack);
        bool same = first && second && first->file && second->file &&
                    strcmp(first->file, second->file) == 0;
        add_place_form(&out, first, PLACE_FORM_FILE);
        buffer_text(&out, " and ");
        add_place_form(&out, second, same ? PLACE_FORM_LINE : PLACE_FORM_FILE);
    } else if (place) {
        add_place_form(&out, place, PLACE_FORM_FILE);
    }
    return buffer_take(&out);
}

static char *failure_trace_name(const struct trace *trace)
{
    struct buffer out = {0};
    if (trace->file_name)
        add_quoted(&out, trace->file_name);
    return buffer_take(&out);
}

static struct failure_table make_table(const struct result *result)
{
    struct failure_table table = {.count = result->nfailures};
    table.cell = allocate(table.count * sizeof *table.cell);
    for (size_t i = 0; i < table.count; i++) {
        const struct trace *trace = result->failure[i];
        int preemptions = trace->failure.preemptions;
        char **cell = table.cell[i];
        cell[COLUMN_WHAT] = failure_words(&trace->failure);
        cell[COLUMN_PLACE] = failure_places(trace);
        cell[COLUMN_PREEMPTIONS] = preemptions < 0 ? copy_text("")
                                                   : format_text("%d preemption%s", preemptions,
                                                                 preemptions == 1 ? "" : "s");
        cell[COLUMN_TRACE] = failure_trace_name(trace);
        for (int c = 0; c < TABLE_COLUMNS; c++) {
            size_t wide = display_width(cell[c], strlen(cell[c]));
            table.width[c] = wide > table.width[c] ? wide : table.width[c];
        }
    }
    return table;
}

/* If the table is wider than the terminal, shortens the words first, then the places. */
static void narrow_table(struct failure_table *table, size_t width)
{
    static const size_t least[TABLE_COLUMNS] = {[COLUMN_WHAT] = 24, [COLUMN_PLACE] = 16};
    size_t whole = strlen("   1");
    for (int c = 0; c < TABLE_COLUMNS; c++)
        whole += 2 + table->width[c];
    for (int c = COLUMN_WHAT; c <= COLUMN_PLACE && whole > width; c++) {
        size_t excess = whole - width, had = table->width[c];
        size_t room = had > excess + least[c] ? had - excess : least[c];
        table->width[c] = room < had ? room : had;
        whole -= had - table->width[c];
    }
}

static void add_table_row(struct report *report, const struct failure_table *table,
                          size_t index)
{
    struct buffer *out = report->out;
    size_t start = out->length, column = strlen("   1");
    buffer_printf(out, "%4zu", index + 1);
    for (int c = 0; c < TABLE_COLUMNS; c++) {
        struct buffer cell = {0};
        buffer_text(&cell, table->cell[index][c]);
        column += 2;
        if (c != COLUMN_TRACE) {
            cut_text(&cell, table->width[c]);
        } else if (column + table->width[c] > report->width) { /* a file's name is never cut */
            buffer_text(out, cell.length ? "\n" : "");
            start = out->length;
            column = strlen("   1  ");
        }
        if (cell.length) {
            buffer_pad(out, start, column);
            buffer_text(out, cell.data);
        }
        column += table->width[c];
        buffer_release(&cell);
    }
    buffer_text(out, "\n");
}

static void add_table(struct report *report, const struct result *result)
{
    struct failure_table table = make_table(result);
    narrow_table(&table, report->width);
    for (size_t i = 0; i < table.count; i++) {
        add_table_row(report, &table, i);
        for (int c = 0; c < TABLE_COLUMNS; c++)
            free(table.cell[i][c]);
    }
    free(table.cell);
}

static void add_head(struct report *report, const struct result *result)
{
    bool races = false;
    struct buffer line = {0};
    add_clean(&line, result->program);
    buffer_printf(&line, ": %zu failures", result->nfailures);
    buffer_text(report->out, "mazur: ");
    add_painted(report, PAINT_FAILURE, line.data);
    buffer_text(report->out, "\n");
    buffer_release(&line);
    add_table(report, result);
    for (size_t i = 0; i < result->nfailures; i++)
        races = races || result->failure[i]->failure.kind == FAILURE_RACE;
    size_t start = report->out->length;
    if (races)
        buffer_text(report->out, "  An execution ends at its first data race. --races explore "
                                 "looks for what lies behind it.\n");
    wrap_lines(report->out, start, report->width, 2, report->long_word);
}

void text_failures(struct buffer *out, const struct result *result, struct text_style style)
{
    if (result->nfailures == 1) {
        text_failure(out, result->failure[0], style);
        return;
    }
    struct report report = report_open(out, result->failure[0], style);
    add_head(&report, result);
    report.one_of_many = true;
    for (size_t i = 0; i < result->nfailures && !style.quiet; i++) {
        char *title = format_text("\n%zu of %zu\n", i + 1, result->nfailures);
        report.trace = result->failure[i];
        add_painted(&report, PAINT_STRONG, title);
        add_failure(&report);
        free(title);
    }
    if (report.trace->coverage.strategy && !style.quiet)
        add_coverage(&report);
}
