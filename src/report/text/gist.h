/* What has to come between what, in a sentence per preemption. */
#ifndef MAZUR_REPORT_GIST_H
#define MAZUR_REPORT_GIST_H

#include "trace/trace.h"

/* None where the execution has no preemption, or too many to be told. */
void gist_sentences(const struct trace *trace, struct text_list *list);

#endif
