/* One pass of `mazur model`: one property, searched, its failure simplified, its result
 * printed. */
#ifndef MAZUR_CLI_MODEL_PASS_H
#define MAZUR_CLI_MODEL_PASS_H

#include <stdatomic.h>
#include <stdio.h>

#include "cli/commands/model_options.h"
#include "trace/result.h"

extern atomic_bool model_interrupted;

/* The first interrupt ends the search cleanly, the second ends Mazur at once. Called after the
 * model is read: before that there is nothing to clean up. */
void catch_model_interrupts(void);
/* The progress of passes is a live line there. */
void show_model_progress(FILE *out);

/* One pass; NULL: its slice was too small (*status 0), or after a message, with *status set. */
struct result *check_property(const struct model_options *options, struct model *model,
                              const struct property *property, int *status);
/* The trace file, and what people read at once; the other reports wait for all passes. */
bool print_model_result(const struct model_options *o, struct result *result);
/* On a rank that does not lead: it only searches; the leading rank reports the result. */
int serve_model_search(const struct model_options *options, struct model *model);

#endif
