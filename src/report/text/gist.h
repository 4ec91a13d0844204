/* Which operation has to come between which others: a sentence per preemption. */
#ifndef MAZUR_REPORT_GIST_H
#define MAZUR_REPORT_GIST_H

#include "trace/trace.h"

/* Adds nothing if the execution has no preemption, or too many to describe. */
void gist_sentences(const struct trace *trace, struct text_list *list);

#endif
