/* What a test framework printed about the assertion that failed. */
#ifndef MAZUR_TRACE_TEST_OUTPUT_H
#define MAZUR_TRACE_TEST_OUTPUT_H

#include "trace/trace.h"

/* A bad exit status of a GoogleTest or Catch2 program becomes the message and the place of the
 * first assertion that failed, as the program's output has them. Anything else stays. */
void test_output_explain(struct trace *trace);

#endif
