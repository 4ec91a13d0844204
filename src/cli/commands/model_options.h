/* Options of `mazur model`, taken from the one option table. */
#ifndef MAZUR_PROMELA_MODEL_OPTIONS_H
#define MAZUR_PROMELA_MODEL_OPTIONS_H

#include "cli/options/options.h"
#include "promela/search/levels.h"
#include "promela/verifier/verifier.h"

/* False after a message: the command line makes no sense. Texts stay those of `options` and
 * `words`. `engine`: over ranks, or NULL. */
bool model_options_take(struct model_options *model, const struct options *options,
                        const struct text_list *words, const struct search_engine *engine);
void model_options_free(struct model_options *options);

/* The subcommand: its exit code. */
int model_main(int argc, char **argv);
/* The same over ranks: each of them calls it. */
int model_main_over(const struct search_engine *engine, int argc, char **argv);

#endif
