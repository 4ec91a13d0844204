/* --sarif: SARIF 2.1.0 (OASIS), for code scanning services and editors. */
#ifndef MAZUR_REPORT_SARIF_H
#define MAZUR_REPORT_SARIF_H

#include "trace/result.h"

/* malloc'd; a search with all its failures, or one trace. */
char *sarif_result(const struct result *result);
char *sarif_trace(const struct trace *trace);

#endif
