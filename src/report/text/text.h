/* The reports for people. */
#ifndef MAZUR_REPORT_TEXT_H
#define MAZUR_REPORT_TEXT_H

#include "trace/result.h"

struct text_style {
    bool color;
    bool full;      /* every event */
    bool quiet;     /* the verdict only */
    bool verbose;   /* also what was measured during the search */
    size_t columns; /* of the terminal, 0: none; then the verdict is one line, however long */
};

/* A failure; all failures of a search; a search that found nothing. Appended to `out`. */
void text_failure(struct buffer *out, const struct trace *trace, struct text_style style);
void text_failures(struct buffer *out, const struct result *result, struct text_style style);
void text_pass(struct buffer *out, const struct result *result, struct text_style style);
/* Programs: what the search measured, if that was asked for. */
void text_measures(struct buffer *out, const struct result *result, struct text_style style);
/* Models: the statements that were not reached, a paragraph per proctype. */
void text_unreached(struct buffer *out, const struct result *result, struct text_style style);
/* The events from `from` on, one row each, with a column for every thread and the names above
 * them. */
void text_steps(struct buffer *out, const struct trace *trace, size_t from, bool header,
                struct text_style style);
/* Where a replay diverged from its trace, and which changed file (or NULL) caused that;
 * malloc'd. */
char *diverged_sentence(const struct trace *trace, const struct trace *again,
                        const char *changed);

#endif
