/* Text that fits the terminal: how wide it is, lines broken at spaces, long names cut in the
 * middle. */
#ifndef MAZUR_HOST_TEXT_LAYOUT_H
#define MAZUR_HOST_TEXT_LAYOUT_H

#include <stdio.h>

#include "host/buffer.h"

#define LAYOUT_DEFAULT 100 /* columns of a report that does not go to a terminal */

/* The columns of the terminal that `out` is; COLUMNS, if set, decides. 0: not a terminal. */
size_t terminal_columns(FILE *out);

/* What happens to a word that is longer than a line. */
enum long_word {
    LONG_WORD_STAYS,  /* a path or a command, to be copied */
    LONG_WORD_CUT,    /* a name: "std::map<…>::find" says enough */
    LONG_WORD_BROKEN, /* every character counts */
};
/* Break the lines of `out` that begin at byte `from` or later and are wider than `width`. What
 * continues a line is indented by two columns more than the line, or by `hang` if not 0. */
void wrap_lines(struct buffer *out, size_t from, size_t width, size_t hang,
                enum long_word long_word);
/* Cut the middle out of a text that is wider than `width`. */
void cut_text(struct buffer *text, size_t width);
/* Cut the longest words of a line in the middle until it is `width` wide, or no word is long.
 * Returns the width. */
size_t fit_line(struct buffer *line, size_t width);

#endif
