/* What made the execution fail, in a few sentences. */
#ifndef MAZUR_REPORT_GIST_H
#define MAZUR_REPORT_GIST_H

#include "trace/trace.h"

/* Adds nothing if nothing explains the failure. */
void gist_sentences(const struct trace *trace, struct text_list *list);

#endif
