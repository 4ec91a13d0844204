/* Options of `mazur model`, with the names that every other command uses. */
#ifndef MAZUR_PROMELA_MODEL_OPTIONS_H
#define MAZUR_PROMELA_MODEL_OPTIONS_H

#include "promela/verifier.h"

/* -1 to go on, else the exit code. */
int model_options_parse(struct model_options *options, int argc, char **argv);
void model_options_free(struct model_options *options);

#endif
