/* The reports for people. */
#ifndef MAZUR_REPORT_TEXT_H
#define MAZUR_REPORT_TEXT_H

#include "trace/result.h"

struct text_style {
    bool color;
    bool full;  /* every event */
    bool quiet; /* the verdict only */
};

/* A failure; a search that found nothing. Appended to `out`. */
void text_failure(struct buffer *out, const struct trace *trace, struct text_style style);
void text_pass(struct buffer *out, const struct result *result, struct text_style style);

#endif
