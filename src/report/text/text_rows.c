/* The rows of the timeline in the terminal's width: text in the thread's column, the place at
 * the right.
 *
 *     full width    load x = 0                                  queue.c:88 Queue::push
 *     narrower      load x = 0                      queue.c:88 push
 *                   store x: 0 → 1                         :89 push
 *     narrowest     store x: 0 → 1                   :89
 *
 * All places are shortened in the same way, unless only a few rows are too long. A row that is
 * still too long continues on the next line; only a name that is longer than a line is cut.
 * Values are never cut. */
#include <stdlib.h>
#include <string.h>

#include "report/text/text_private.h"

#define BETWEEN    2  /* columns between text and place */
#define TEXT_LEAST 24 /* columns of a text that is far to the right */
#define MISFITS    6  /* one row in so many may be longer than the others */

void rows_add(struct timeline_rows *rows, struct timeline_row row)
{
    rows->row = grow_array(rows->row, &rows->capacity, rows->count, sizeof *rows->row);
    rows->row[rows->count++] = row;
}

static bool same_file(const struct source_place *a, const struct source_place *b)
{
    return a && b && a->file && b->file && strcmp(a->file, b->file) == 0;
}

/* The place of a row, in this form or a shorter one; NULL: none. `above`: the place of the row
 * before. */
static char *place_in_form(const struct timeline_row *row, const struct source_place *above,
                           enum place_form form)
{
    struct buffer text = {0};
    if (!row->place)
        return NULL;
    bool inlined = row->place->inlined; /* of a model: its columns name the processes */
    if (form == PLACE_FORM_LINE && !same_file(row->place, above))
        form = PLACE_FORM_FILE;
    if (form == PLACE_FORM_NEAR && (inlined || !same_file(row->place, above))) {
        add_place_form(&text, row->place, PLACE_FORM_FILE);
        if (!inlined && row->place->file && row->place->function) {
            buffer_text(&text, " ");
            add_function(&text, innermost_name(row->place->function));
        }
    } else {
        add_place_form(&text, row->place, form);
    }
    return buffer_take(&text);
}

static size_t row_width(const struct timeline_row *row, const char *place)
{
    size_t width = row->column + display_width(row->text, strlen(row->text));
    return place ? width + BETWEEN + display_width(place, strlen(place)) : width;
}

/* The widest row in this form, and how many are wider than `width`. */
static size_t measure_rows(const struct timeline_rows *rows, enum place_form form, size_t width,
                           size_t *wider)
{
    const struct source_place *above = NULL;
    size_t widest = 0;
    *wider = 0;
    for (size_t i = 0; i < rows->count; i++) {
        char *place = place_in_form(&rows->row[i], above, form);
        size_t wide = row_width(&rows->row[i], place);
        widest = wide > widest ? wide : widest;
        *wider += place && wide > width;
        above = rows->row[i].place ? rows->row[i].place : above;
        free(place);
    }
    return widest;
}

/* Chooses how long the places may be, and the width of the table: on a terminal that is wider
 * than a page of text, as wide as the rows need. */
static enum place_form choose_form(const struct timeline_rows *rows, size_t *width)
{
    enum place_form form = PLACE_FORM_WHOLE;
    size_t wider, widest = measure_rows(rows, form, *width, &wider);
    while (wider > rows->count / MISFITS && form + 1 < PLACE_FORMS)
        widest = measure_rows(rows, ++form, *width, &wider);
    if (*width > LAYOUT_DEFAULT && widest < *width)
        *width = widest > LAYOUT_DEFAULT ? widest : LAYOUT_DEFAULT;
    return form;
}

/* Adds the text, in several lines if necessary. Returns the width of the last one. */
static size_t add_row_text(struct report *report, const struct timeline_row *row, size_t width)
{
    struct buffer line = {0};
    size_t column = row->column + TEXT_LEAST > width ? width - TEXT_LEAST : row->column;
    if (row->number)
        buffer_printf(&line, "%4zu", row->number);
    buffer_pad(&line, 0, column);
    add_paint(&line, report->style.color ? row->paint : PAINT_NONE, row->text);
    wrap_lines(&line, 0, width, column + 2, report->long_word);
    const char *last = strrchr(line.data, '\n');
    size_t used =
        display_width(last ? last + 1 : line.data, strlen(last ? last + 1 : line.data));
    buffer_text(report->out, line.data);
    buffer_release(&line);
    return used;
}

static void write_row(struct report *report, struct timeline_row *row,
                      const struct source_place *above, enum place_form form, size_t width)
{
    char *place = place_in_form(row, above, form);
    while (place && row_width(row, place) > width && form + 1 < PLACE_FORMS) {
        free(place);
        place = place_in_form(row, above, ++form);
    }
    size_t beside = place ? BETWEEN + display_width(place, strlen(place)) : 0;
    bool long_text = row_width(row, place) > width;
    /* the last of several lines has room for the place */
    size_t room =
        long_text && width > row->column + beside + TEXT_LEAST ? width - beside : width;
    size_t used = add_row_text(report, row, room);
    if (place && used + beside > width) {
        buffer_text(report->out, "\n");
        used = 0;
    }
    if (place) {
        struct buffer end = {0};
        buffer_text(&end, place);
        size_t wide = fit_line(&end, width);
        buffer_pad(report->out, report->out->length,
                   width > used + wide ? width - used - wide : 0);
        add_painted(report, PAINT_QUIET, end.data);
        buffer_release(&end);
    }
    buffer_text(report->out, "\n");
    free(place);
}

void rows_write(struct timeline_rows *rows, struct report *report)
{
    const struct source_place *above = NULL;
    size_t width = report->width;
    enum place_form form = choose_form(rows, &width);
    for (size_t i = 0; i < rows->count; i++) {
        struct timeline_row *row = &rows->row[i];
        write_row(report, row, above, form, width);
        above = row->place ? row->place : above;
        free(row->text);
    }
    free(rows->row);
    *rows = (struct timeline_rows){0};
}
