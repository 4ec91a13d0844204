/* See style.h. Colours where asked for, else on a terminal unless NO_COLOR (no-color.org) is
 * set. */
#include "cli/options/style.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/text_layout.h"

struct text_style options_style(const struct options *options, FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool automatic = isatty(fileno(out)) && !(no_color && *no_color) &&
                     !(terminal && strcmp(terminal, "dumb") == 0);
    return (struct text_style){.columns = terminal_columns(out),
                               .color = options->color == COLOR_ALWAYS ||
                                        (options->color == COLOR_AUTO && automatic),
                               .full = options->full,
                               .quiet = options->quiet,
                               .verbose = options->verbose};
}
