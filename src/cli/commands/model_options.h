/* Options of `mazur model`, taken from the one option table. */
#ifndef MAZUR_PROMELA_MODEL_OPTIONS_H
#define MAZUR_PROMELA_MODEL_OPTIONS_H

#include "cli/options/options.h"
#include "promela/verifier/verifier.h"

/* False after a message: the command line makes no sense. Texts stay those of `options` and
 * `words`. */
bool model_options_take(struct model_options *model, const struct options *options,
                        const struct text_list *words);
void model_options_free(struct model_options *options);

/* The subcommand: its exit code. */
int model_main(int argc, char **argv);

#endif
