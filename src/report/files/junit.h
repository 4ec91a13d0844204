/* Test suites in JUnit XML that hold more than one result (mazur regress). */
#ifndef MAZUR_REPORT_JUNIT_H
#define MAZUR_REPORT_JUNIT_H

#include "host/buffer.h"

struct junit_reason {
    const char *element; /* failure or error */
    const char *type;
    const char *message;
};

/* A suite of many: test cases, of which those with a reason did not pass. malloc'd. */
void junit_case(struct buffer *cases, const char *name, const struct junit_reason *reason);
char *junit_suite(const struct buffer *cases, int tests, int failures, int errors);

#endif
