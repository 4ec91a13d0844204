/* Does a report have colours, and how much does it say? */
#ifndef MAZUR_CLI_STYLE_H
#define MAZUR_CLI_STYLE_H

#include <stdio.h>

#include "cli/options/options.h"
#include "report/text/text.h"

/* The style that the options and the terminal ask for. */
struct text_style options_style(const struct options *options, FILE *out);

#endif
