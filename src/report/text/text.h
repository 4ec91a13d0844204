/* The reports for people. */
#ifndef MAZUR_REPORT_TEXT_H
#define MAZUR_REPORT_TEXT_H

#include "trace/result.h"

struct text_style {
    bool color;
    bool full;      /* every event */
    bool quiet;     /* the verdict only */
    size_t columns; /* of the terminal, 0: none; then the verdict is one line, however long */
};

/* A failure; all failures of a search; a search that found nothing. Appended to `out`. */
void text_failure(struct buffer *out, const struct trace *trace, struct text_style style);
void text_failures(struct buffer *out, const struct result *result, struct text_style style);
void text_pass(struct buffer *out, const struct result *result, struct text_style style);
/* Where a replay left its trace, and because of which changed file (or NULL); malloc'd. */
char *diverged_sentence(const struct trace *trace, const struct trace *again,
                        const char *changed);

#endif
