/* What reaches a terminal.
 *
 * Names, messages and output of a program, a model, a trace file, a directory, an option or the
 * environment are foreign text. A terminal obeys control characters, and reorders text after a
 * bidirectional override; both can falsify a report. So those characters are spelt out in
 * foreign text: \x1b, \xe2\x80\xae.
 *
 * Invariant: everything that a command writes for people goes through one of these functions (a
 * program's own output, which the user asked to see, is passed on unchanged). */
#ifndef MAZUR_HOST_TERMINAL_H
#define MAZUR_HOST_TERMINAL_H

#include <stdio.h>

#include "host/buffer.h"

/* Bytes of the character at `text` if a terminal shows it unchanged, otherwise 0: a control
 * character (a line end, too), a bidirectional mark, or not UTF-8. */
int shown_length(const char *text);
/* Foreign text as part of a line: what a terminal would not show becomes \xNN. */
void add_clean(struct buffer *out, const char *text);
/* A word of a command line that a shell reads as `word`, quoted where needed. */
void add_quoted(struct buffer *out, const char *word);
/* The list as one shell command line. */
char *list_command(const struct text_list *list);
/* One line of a message; the line end is added. Every argument may be foreign text. */
void write_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A finished report: its lines, tabs and colours pass, everything else that a terminal would
 * obey is spelt out. */
void write_report(FILE *out, const struct buffer *report);
/* errno of the first of these that could not write to stdout, or 0. */
int terminal_error(void);
/* The same text, with characters that a terminal would obey as \uNNNN. `json` is malloc'd; the
 * function takes ownership. */
char *json_for_terminal(char *json);

/* The colours of reports. */
enum paint { PAINT_NONE, PAINT_FAILURE, PAINT_PREEMPTION, PAINT_QUIET, PAINT_STRONG };
void add_paint(struct buffer *out, enum paint paint, const char *text);

#endif
