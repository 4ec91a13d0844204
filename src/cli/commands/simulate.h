/* `mazur model --simulate`: one run of a model: random, along a trail, or chosen by the user.
 */
#ifndef MAZUR_CLI_SIMULATE_H
#define MAZUR_CLI_SIMULATE_H

#include "promela/verifier/verifier.h"

/* The exit code: that of the failure in which the run ends, else 0. */
int simulate_model(const struct model_options *options, struct model *model);

#endif
