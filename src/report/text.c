/* The report of a failure, for people. */
#include <stdlib.h>

#include "report/result.h"
#include "report/verdict.h"

void text_failure(struct buffer *out, const struct trace *trace, struct text_style style)
{
    const struct trace_failure *failure = &trace->failure;
    char *place = place_text(trace_location(trace));
    buffer_printf(out, "mazur: %s: %s: %s at %s (execution %llu, %d preemptions)\n",
                  trace->program, failure_title(failure->kind), failure->message, place,
                  (unsigned long long)failure->execution, failure->preemptions);
    free(place);
    if (style.quiet)
        return;
    if (trace->file_name)
        buffer_printf(out, "  mazur replay %s\n", trace->file_name);
}
