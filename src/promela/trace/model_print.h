/* What printf() and printm() of a model print. The format is the model's: conversions that it
 * names are done here one by one, never by handing it to the C library. */
#ifndef MAZUR_PROMELA_PRINT_H
#define MAZUR_PROMELA_PRINT_H

#include "host/buffer.h"
#include "promela/trace/follow.h"

/* Appends the text, with \n and \t as control characters; whoever shows it escapes them. */
void print_text(struct buffer *out, const struct model *model, struct arena *arena,
                const struct statement *statement, const struct model_print *print);
/* The same in one line: quoted, without the newline at its end, others as \n. */
const char *print_line(struct arena *arena, const char *text);

#endif
