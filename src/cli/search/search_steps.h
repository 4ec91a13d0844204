/* The steps of search_program.h: search, trace what was found, conclude. */
#ifndef MAZUR_CLI_SEARCH_STEPS_H
#define MAZUR_CLI_SEARCH_STEPS_H

#include <stdio.h>

#include "cli/session/search_session.h"
#include "trace/result.h"

/* run_search.c: searches, with as many children as necessary, and keeps the failures that they
 * find. */
void run_search(struct search_session *session, bool invisible);

/* trace_failures.c: adds a trace of every failure to the result, and writes the trace files.
 * False after a message. */
bool trace_failures(struct search_session *session, struct result *result);
/* Called when all failures are known: decides what each trace may claim, given the reasons and
 * the other failures. */
void settle_failures(struct result *result);

/* conclude_search.c: what the search found and what it proves, reported; the exit code. */
int conclude_search(struct search_session *session);
/* Print the result, and write the files that were asked for. False after a message. */
bool report_result(const struct options *options, const struct result *result, FILE *out);

#endif
