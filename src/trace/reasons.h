/* The reasons of a claim (explore/claim/claim.h) as sentences and as JSON: the same for all
 * reports. */
#ifndef MAZUR_TRACE_REASONS_H
#define MAZUR_TRACE_REASONS_H

#include <jansson.h>

#include "trace/trace.h"

/* The row's sentence with the details that were raised; malloc'd. */
char *reason_sentence(const struct claim *claim, enum claim_reason reason);
/* Appends the sentences of all reasons to `list`, except uncontrolled calls, what the coverage
 * sentence already says, and why the search ended; then the notes of a model. */
void reason_notes(const struct coverage *coverage, struct text_list *list);
/* The details of one reason, appended to `list`. */
void reason_details(const struct claim *claim, enum claim_reason reason,
                    struct text_list *list);
/* Why the search ended early, in words; malloc'd, or NULL: it did not. */
char *reason_of_end(const struct claim *claim);

/* [{"id": …, "severity": …, "text": …, "names": […]}], and back. */
json_t *json_reasons(const struct claim *claim);
/* A reason of this name, with this detail, was raised. False: there is no such reason. */
bool reason_raise_by_id(struct claim *claim, const char *id, const char *detail);

#endif
